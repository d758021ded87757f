use std::io::{self, Read};

/// The most zeros at the end of a file that are read to see whether anything follows them.
const MOST: usize = 16 << 20;

/// A file that ends where nothing but zeros follows.
///
/// Some file systems leave such an end after a power cut: the file has its new length, and what
/// was written there is lost. Zeros with anything behind them are what they are.
pub(super) struct UntilZeros<R> {
    input: R,
    /// How many zeros were read and not given out.
    held: usize,
    /// Whether something else was found behind zeros.
    goes_on: bool,
}

impl<R: Read> UntilZeros<R> {
    pub(super) const fn new(input: R) -> Self {
        Self {
            input,
            held: 0,
            goes_on: false,
        }
    }

    /// Whether zeros were left out where the file ended.
    pub(super) const fn left_out(&self) -> bool {
        self.held > 0
    }
}

impl<R: Read> Read for UntilZeros<R> {
    /// Where zeros turn out not to be the end, one of them is given out for all.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let room = usize::from(self.left_out());
            let read = self.input.read(&mut buffer[room..])?;
            if read == 0 {
                return Ok(0);
            }
            let bytes = &buffer[room..][..read];
            let zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
            if self.goes_on || zeros == 0 && room == 0 {
                return Ok(read);
            }
            self.held += zeros;
            if room == 0 && zeros < read {
                return Ok(read - zeros);
            }
            if zeros < read || self.held > MOST {
                buffer[0] = 0;
                self.held = 0;
                self.goes_on = true;
                return Ok(room + read);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UntilZeros;
    use std::io::Read;

    /// What is read of these pieces, and whether zeros were left out at the end.
    fn read(pieces: &[&[u8]]) -> (Vec<u8>, bool) {
        let input: Box<dyn Read> = pieces
            .iter()
            .fold(Box::new(std::io::empty()), |read, piece| {
                Box::new(read.chain(*piece))
            });
        let mut input = UntilZeros::new(input);
        let mut all = Vec::new();
        input.read_to_end(&mut all).expect("memory");
        (all, input.left_out())
    }

    #[test]
    fn zeros_are_left_out_where_they_end_the_file() {
        for (pieces, text) in [
            (&[&b"ab"[..]][..], &b"ab"[..]),
            (&[b"ab\0\0\0"], b"ab"),
            (&[b"ab", b"\0\0", b"\0"], b"ab"),
            (&[b"ab\0", b"\0"], b"ab"),
            (&[b"\0"], b""),
            (&[], b""),
        ] {
            let ends_in_zeros = pieces.concat().ends_with(b"\0");
            assert_eq!(read(pieces), (text.to_vec(), ends_in_zeros), "{pieces:?}");
        }
    }

    #[test]
    fn zeros_before_anything_else_are_not_left_out() {
        for pieces in [
            &[&b"ab\0c"[..]][..],
            &[b"ab\0", b"c\0\0"],
            &[b"ab", b"\0\0", b"\0c", b"\0"],
        ] {
            let (found, left_out) = read(pieces);
            assert!(found.starts_with(b"ab\0"), "{found:?}");
            assert!(found.contains(&b'c') && !left_out, "{found:?}");
        }
    }
}

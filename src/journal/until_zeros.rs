use std::io::{self, Cursor, Read};
use std::mem;

/// The most zeros at the end of a file that are read to see whether anything follows them.
const MOST: usize = 16 << 20;

/// A file that ends where nothing but zeros follows.
///
/// Some file systems leave such an end after a power cut: the file has its new length, and what
/// was written there is lost. Zeros with anything behind them are what they are.
pub(super) struct UntilZeros<R> {
    input: R,
    /// How many zeros were read that may be the end.
    held: usize,
    /// How many zeros are to be given out: they were not the end.
    owed: usize,
    /// What was read behind these.
    behind: Cursor<Vec<u8>>,
}

impl<R: Read> UntilZeros<R> {
    pub(super) const fn new(input: R) -> Self {
        Self {
            input,
            held: 0,
            owed: 0,
            behind: Cursor::new(Vec::new()),
        }
    }

    /// Whether zeros were left out where the file ended.
    pub(super) const fn left_out(&self) -> bool {
        self.held > 0
    }
}

impl<R: Read> Read for UntilZeros<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.owed > 0 {
                let count = self.owed.min(buffer.len());
                buffer[..count].fill(0);
                self.owed -= count;
                return Ok(count);
            }
            let read = match self.behind.read(buffer)? {
                0 => self.input.read(buffer)?,
                read => return Ok(read),
            };
            let bytes = &buffer[..read];
            let zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
            let others = &bytes[..read - zeros];
            if read == 0 || !others.is_empty() && self.held == 0 {
                self.held += zeros;
                return Ok(others.len());
            }
            if others.is_empty() {
                self.held += zeros;
                if self.held > MOST {
                    self.owed = mem::take(&mut self.held);
                }
            } else {
                self.owed = mem::replace(&mut self.held, zeros);
                self.behind = Cursor::new(others.to_vec());
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
    fn zeros_before_anything_else_are_all_given_out() {
        for pieces in [
            &[&b"ab\0\0\0c"[..]][..],
            &[b"ab\0", b"\0\0c\0\0"],
            &[b"ab", b"\0\0", b"\0c", b"\0"],
        ] {
            let ends_in_zeros = pieces.concat().ends_with(b"\0");
            assert_eq!(read(pieces), (b"ab\0\0\0c".to_vec(), ends_in_zeros));
        }
    }
}

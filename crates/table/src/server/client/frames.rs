/// Reads the heads of the frames in a stream of the WebSocket protocol, and counts those that
/// continue a message.
///
/// A library that puts messages together does not tell how many frames they came in.
///
/// # Source
///
/// RFC 6455, section 5.2.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The beginning of a head, without the mask.
    head: [u8; LONGEST_HEAD],
    /// How much of it is there.
    length: usize,
    /// How much of the mask and the payload is still to come.
    rest: u64,
    continuations: u32,
}

/// Two bytes, and a length of eight.
const LONGEST_HEAD: usize = 10;
const MASK: u64 = 4;
/// The bits of the first byte that say what kind of a frame it is.
const KIND: u8 = 0x0f;
const CONTINUATION: u8 = 0;

impl Frames {
    /// Takes the next bytes of the stream.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        while let Some((first, others)) = bytes.split_first() {
            if self.rest > 0 {
                let skipped = usize::try_from(self.rest).unwrap_or(usize::MAX);
                let skipped = skipped.min(bytes.len());
                self.rest -= skipped as u64;
                bytes = &bytes[skipped..];
                continue;
            }
            bytes = others;
            self.head[self.length] = *first;
            self.length += 1;
            self.end_head();
        }
    }

    /// How many frames continued a message since this was asked last.
    pub(super) const fn take_continuations(&mut self) -> u32 {
        std::mem::replace(&mut self.continuations, 0)
    }

    /// How many these are so far.
    pub(super) const fn continuations(&self) -> u32 {
        self.continuations
    }

    fn end_head(&mut self) {
        let [first, second, ..] = self.head;
        let long = match second & 0x7f {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        if self.length < 2 + long {
            return;
        }
        let payload = if long == 0 {
            u64::from(second & 0x7f)
        } else {
            let length = self.head[2..2 + long].iter();
            length.fold(0, |length, byte| length << 8 | u64::from(*byte))
        };
        let mask = if second & 0x80 == 0 { 0 } else { MASK };
        self.rest = payload.saturating_add(mask);
        self.length = 0;
        if first & KIND == CONTINUATION {
            self.continuations = self.continuations.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Frames;

    /// A frame with a mask of zeros.
    fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
        let length = payload.len();
        let mut frame = vec![first];
        match u16::try_from(length) {
            Ok(short @ 0..126) => frame.push(0x80 | short.to_le_bytes()[0]),
            Ok(length) => {
                frame.push(0x80 | 0x7e);
                frame.extend(length.to_be_bytes());
            }
            Err(_) => {
                frame.push(0x80 | 0x7f);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(payload);
        frame
    }

    #[test]
    fn only_frames_that_continue_a_message_are_counted_however_the_bytes_come() {
        let zeros = vec![0; 70_000];
        let parts = [
            frame(0x81, b"whole"),
            frame(0x01, &zeros[..300]),
            frame(0x89, b"ping"),
            frame(0x00, &[]),
            frame(0x00, &zeros),
            frame(0x80, &zeros[..125]),
            frame(0x82, &zeros[..126]),
            // The mask of a client that does not mask is missing.
            vec![0x00, 0],
            frame(0x88, &[]),
        ];
        let bytes = parts.concat();
        for size in [1, 2, 3, 7, 1000, bytes.len()] {
            let mut frames = Frames::default();
            for part in bytes.chunks(size) {
                frames.feed(part);
            }
            assert_eq!(frames.take_continuations(), 4, "{size} bytes at a time");
            assert_eq!(frames.continuations(), 0);
        }
    }
}

/// The deepest nesting of a record that is read.
pub(super) const DEEPEST: u32 = 64;

/// How far a value has been seen.
#[derive(Default)]
pub(super) struct Scan {
    pub(super) depth: u32,
    in_string: bool,
    escaped: bool,
    /// In a number or a literal that is the whole value.
    in_word: bool,
}

impl Scan {
    /// Looks at more bytes: how many belong to the value, and whether it is whole.
    ///
    /// Stops early where the value is nested too deep.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> (usize, bool) {
        for (index, &byte) in bytes.iter().enumerate() {
            if self.in_string {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => {
                        self.in_string = false;
                        if self.depth == 0 {
                            return (index + 1, true);
                        }
                    }
                    _ => {}
                }
                continue;
            }
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b'}' | b']' if self.in_word => {
                    return (index, true);
                }
                b'"' => self.in_string = true,
                b'{' | b'[' => {
                    self.depth += 1;
                    if self.depth > DEEPEST {
                        return (index + 1, false);
                    }
                }
                b'}' | b']' if self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return (index + 1, true);
                    }
                }
                _ => self.in_word = self.depth == 0,
            }
        }
        (bytes.len(), false)
    }
}

use std::io::{self, Read};

use crate::json::{self, Value};

/// A line from the server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServerLine {
    /// The line as it was received, without its line feed; empty for one that the client makes: the result of
    /// a lost frame, or the end that a server which stops does not send.
    pub line: String,
    /// What it says; always an object with a string as its `type`.
    pub value: Value,
}

impl ServerLine {
    /// Reads a line; fails with the reason, in words, where it is not what Protocol.md says.
    pub(crate) fn parse(bytes: Vec<u8>) -> Result<Self, String> {
        let value = json::parse(&bytes).map_err(|error| error.to_string())?;
        // What was JSON is UTF-8, and nothing is replaced.
        let line = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        let line = Self { line, value };
        if line.get("type").and_then(Value::as_str).is_none() {
            return Err("no JSON object with a \"type\"".into());
        }
        if line.is("result") && (line.u64("sequence").is_none() || line.str("status").is_none()) {
            return Err("a result without its \"sequence\" or \"status\"".into());
        }
        Ok(line)
    }

    /// The result of a frame that will have none from a server.
    pub(crate) fn lost(sequence: u64, captured_us: u64) -> Self {
        let message = "the connection was lost before the frame was answered; send it again";
        let members = [
            ("type", "result".into()),
            ("sequence", Value::Number(sequence.to_string())),
            ("captured_us", Value::Number(captured_us.to_string())),
            ("status", "error".into()),
            ("code", "connection_lost".into()),
            ("message", message.into()),
        ];
        Self::made(members)
    }

    /// The last line of a complete stream, which a server that stops does not send.
    pub(crate) fn end(sequence: u64, frames: u64) -> Self {
        let members = [
            ("type", "end".into()),
            ("sequence", Value::Number(sequence.to_string())),
            ("frames", Value::Number(frames.to_string())),
        ];
        Self::made(members)
    }

    /// A line that the client makes itself.
    fn made<const N: usize>(members: [(&str, Value); N]) -> Self {
        let members = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { line: String::new(), value: Value::Object(members) }
    }

    /// What kind of line it is, as Protocol.md names it.
    pub fn line_type(&self) -> &str {
        self.str("type").unwrap_or_default()
    }

    /// A member.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.value.get(name)
    }

    /// A member that is a string.
    pub fn str(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// A member that is a whole number and not negative.
    pub fn u64(&self, name: &str) -> Option<u64> {
        self.get(name)?.as_u64()
    }

    pub(crate) fn is(&self, line_type: &str) -> bool {
        self.line_type() == line_type
    }
}

/// What comes of waiting for a line.
pub(crate) enum Received {
    Line(Vec<u8>),
    /// No line feed within so many bytes.
    TooLong,
    /// The server closed, perhaps within a line.
    End,
}

/// Cuts what is received into lines.
pub(crate) struct LineReader<R> {
    source: R,
    max_line_bytes: usize,
    bytes: Vec<u8>,
    /// Where the open line begins.
    start: usize,
    /// Up to where there is no line feed.
    searched: usize,
}

impl<R: Read> LineReader<R> {
    const CHUNK: usize = 64 << 10;

    pub(crate) fn new(source: R, max_line_bytes: usize) -> Self {
        Self { source, max_line_bytes, bytes: Vec::new(), start: 0, searched: 0 }
    }

    /// The next line, without its line feed; `prepare` is called before each read from the source,
    /// with the number of bytes of the line that are there.
    pub(crate) fn next(&mut self, mut prepare: impl FnMut(&R, usize) -> io::Result<()>) -> io::Result<Received> {
        loop {
            let found = self.bytes[self.searched..].iter().position(|&byte| byte == b'\n');
            let end = found.map_or(self.bytes.len(), |offset| self.searched + offset);
            self.searched = end;
            if end - self.start > self.max_line_bytes {
                return Ok(Received::TooLong);
            }
            if found.is_some() {
                let line = self.bytes[self.start..end].to_vec();
                self.start = end + 1;
                self.searched = self.start;
                return Ok(Received::Line(line));
            }
            prepare(&self.source, self.pending_bytes())?;
            if self.receive()? == 0 {
                return Ok(Received::End);
            }
        }
    }

    /// The number of bytes after the last line that was returned.
    pub(crate) fn pending_bytes(&self) -> usize {
        self.bytes.len() - self.start
    }

    fn receive(&mut self) -> io::Result<usize> {
        self.bytes.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        let length = self.bytes.len();
        self.bytes.resize(length + Self::CHUNK, 0);
        let count = loop {
            match self.source.read(&mut self.bytes[length..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                count => break count,
            }
        };
        self.bytes.truncate(length + count.as_ref().unwrap_or(&0));
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time.
    struct Drops<'a>(&'a [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let (drop, rest) = self.0.split_at(self.1.min(self.0.len()));
            self.0 = rest;
            buffer[..drop.len()].copy_from_slice(drop);
            Ok(drop.len())
        }
    }

    fn lines(text: &str, size: usize, max_line_bytes: usize) -> (Vec<String>, Received) {
        let mut reader = LineReader::new(Drops(text.as_bytes(), size), max_line_bytes);
        let mut lines = Vec::new();
        loop {
            match reader.next(|_, _| Ok(())).unwrap() {
                Received::Line(line) => lines.push(String::from_utf8(line).unwrap()),
                end => return (lines, end),
            }
        }
    }

    #[test]
    fn lines_may_be_cut_anywhere() {
        for size in 1..20 {
            let (lines, end) = lines("one\n\ntwo, longer\nunfinished", size, 100);
            assert_eq!(lines, ["one", "", "two, longer"]);
            assert!(matches!(end, Received::End));
        }
    }

    #[test]
    fn a_line_above_the_limit_is_given_up_before_it_is_complete() {
        for size in 1..20 {
            for text in ["12345\n123456\n", "12345\n123456"] {
                let (lines, end) = lines(text, size, 5);
                assert_eq!(lines, ["12345"]);
                assert!(matches!(end, Received::TooLong));
            }
        }
    }
}

//! A small reader and writer of JSON: enough for lines and options, and strict about both.

use std::fmt;

/// How deep arrays and objects may lie in each other.
const MAX_DEPTH: usize = 128;

/// Any JSON value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it is written: 64 bits stay exact.
    Number(String),
    /// A string, unescaped.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object's members, in their order.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The value of an object's member; of the last, if several have that name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Self::Object(members) => members.iter().rev().find(|(n, _)| n == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// A boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// A whole number that is not negative, with all its 64 bits.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// A whole number that may be negative.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// A number.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// The elements of an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Number(value.to_string())
    }
}

impl From<f64> for Value {
    /// What JSON has no number for, such as infinity, becomes `null`.
    fn from(value: f64) -> Self {
        if value.is_finite() {
            Self::Number(value.to_string())
        } else {
            Self::Null
        }
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::String(value.into())
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(values: [T; N]) -> Self {
        values.into_iter().collect()
    }
}

impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::Array(values.into_iter().map(Into::into).collect())
    }
}

impl fmt::Display for Value {
    /// Writes the value as JSON.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => formatter.write_str("null"),
            Self::Bool(value) => value.fmt(formatter),
            Self::Number(text) => formatter.write_str(text),
            Self::String(text) => write_string(text, formatter),
            Self::Array(elements) => {
                formatter.write_str("[")?;
                for (index, element) in elements.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(formatter, "{comma}{element}")?;
                }
                formatter.write_str("]")
            }
            Self::Object(members) => {
                formatter.write_str("{")?;
                for (index, (name, value)) in members.iter().enumerate() {
                    formatter.write_str(if index == 0 { "" } else { "," })?;
                    write_string(name, formatter)?;
                    write!(formatter, ":{value}")?;
                }
                formatter.write_str("}")
            }
        }
    }
}

fn write_string(text: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    use fmt::Write;
    formatter.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(formatter, "\\{character}")?,
            '\0'..='\x1f' => write!(formatter, "\\u{:04x}", u32::from(character))?,
            _ => formatter.write_char(character)?,
        }
    }
    formatter.write_char('"')
}

/// Where bytes are no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// What would have been right.
    pub expected: &'static str,
    /// How many bytes come before it.
    pub offset: usize,
}

impl fmt::Display for JsonError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "expected {} at byte {}", self.expected, self.offset)
    }
}

impl std::error::Error for JsonError {}

/// Reads one value, with nothing but white space around it.
///
/// ```
/// let value = glyphwire::json::parse(br#"{"sequence": 18446744073709551615, "text": "caf\u00e9"}"#).unwrap();
/// assert_eq!(value.get("sequence").and_then(|number| number.as_u64()), Some(u64::MAX));
/// assert_eq!(value.get("text").and_then(|text| text.as_str()), Some("café"));
/// ```
pub fn parse(bytes: &[u8]) -> Result<Value, JsonError> {
    let text =
        std::str::from_utf8(bytes).map_err(|error| JsonError { expected: "UTF-8", offset: error.valid_up_to() })?;
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    reader.skip_space();
    if reader.at < text.len() {
        return Err(reader.expected("the end"));
    }
    Ok(value)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn expected(&self, expected: &'static str) -> JsonError {
        JsonError { expected, offset: self.at }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, JsonError> {
        if depth > MAX_DEPTH {
            return Err(self.expected("fewer levels"));
        }
        self.skip_space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            _ => Err(self.expected("a value")),
        }
    }

    fn word(&mut self, word: &'static str, value: Value) -> Result<Value, JsonError> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(self.expected(word));
        }
        self.at += word.len();
        Ok(value)
    }

    fn object(&mut self, depth: usize) -> Result<Value, JsonError> {
        let mut members = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.take(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.expected("a member's name"));
            }
            let name = self.string()?;
            self.skip_space();
            if !self.take(b':') {
                return Err(self.expected("\":\""));
            }
            members.push((name, self.value(depth + 1)?));
            self.skip_space();
            if self.take(b'}') {
                return Ok(Value::Object(members));
            }
            if !self.take(b',') {
                return Err(self.expected("\",\" or \"}\""));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, JsonError> {
        let mut elements = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.take(b']') {
            return Ok(Value::Array(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            self.skip_space();
            if self.take(b']') {
                return Ok(Value::Array(elements));
            }
            if !self.take(b',') {
                return Err(self.expected("\",\" or \"]\""));
            }
        }
    }

    fn number(&mut self) -> Result<Value, JsonError> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        Ok(Value::Number(self.text[start..self.at].into()))
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.expected("a digit"));
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    /// A string, from its opening quotation mark on.
    fn string(&mut self) -> Result<String, JsonError> {
        let mut string = String::new();
        self.at += 1;
        loop {
            let plain = self.at;
            while matches!(self.peek(), Some(byte) if byte >= b' ' && byte != b'"' && byte != b'\\') {
                self.at += 1;
            }
            string.push_str(&self.text[plain..self.at]);
            if self.take(b'"') {
                return Ok(string);
            }
            if !self.take(b'\\') {
                return Err(self.expected("the rest of a string"));
            }
            string.push(self.escaped()?);
        }
    }

    /// The character that an escape stands for, from behind its backslash on.
    fn escaped(&mut self) -> Result<char, JsonError> {
        let Some(byte) = self.peek() else { return Err(self.expected("an escape")) };
        let character = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.code_point(),
            _ => return Err(self.expected("an escape")),
        };
        self.at += 1;
        Ok(character)
    }

    /// The character of `\uXXXX`, or of two that are a surrogate pair, from the first `u` on.
    ///
    /// Half a pair stands for no character, and is read as U+FFFD.
    fn code_point(&mut self) -> Result<char, JsonError> {
        let high = self.code_unit()?;
        let behind = self.at;
        if (0xd800..0xdc00).contains(&high) && self.take(b'\\') && self.peek() == Some(b'u') {
            let low = self.code_unit()?;
            if (0xdc00..0xe000).contains(&low) {
                let point = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
        self.at = behind;
        Ok(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// The number in `uXXXX`.
    fn code_unit(&mut self) -> Result<u32, JsonError> {
        self.at += 1;
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            unit = unit * 16 + digit.ok_or_else(|| self.expected("four hexadecimal digits"))?;
            self.at += 1;
        }
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        parse(text.as_bytes()).map_or_else(|error| error.to_string(), |value| value.to_string())
    }

    #[test]
    fn what_is_read_is_written_the_same() {
        for text in
            ["null", "[true,false,[],{}]", "-0.5e-10", "18446744073709551615", r#"{"a":"\"\\ é \u0001","a":[1,2]}"#]
        {
            assert_eq!(written(text), text);
        }
        assert_eq!(written(" { \"a\" : [ 1 , 2 ] } \r\n"), r#"{"a":[1,2]}"#);
    }

    #[test]
    fn escapes_stand_for_their_characters() {
        let text = r#""\"\\\/\b\f\n\r\t\u00e9\u0000\ud83d\ude00""#;
        assert_eq!(parse(text.as_bytes()).unwrap().as_str(), Some("\"\\/\x08\x0c\n\r\té\0😀"));
    }

    #[test]
    fn half_a_surrogate_pair_is_no_character() {
        for text in [r#""\ud83d.""#, r#""\ude00.""#] {
            assert_eq!(parse(text.as_bytes()).unwrap().as_str(), Some("\u{fffd}."));
        }
        assert_eq!(parse(br#""\ud83d\u0041\ud83d\n""#).unwrap().as_str(), Some("\u{fffd}A\u{fffd}\n"));
    }

    #[test]
    fn whole_numbers_are_exact_and_nothing_else_is_whole() {
        assert_eq!(parse(b"18446744073709551615").unwrap().as_u64(), Some(u64::MAX));
        for text in ["18446744073709551616", "-1", "1.0", "\"1\""] {
            assert_eq!(parse(text.as_bytes()).unwrap().as_u64(), None, "{text}");
        }
        assert_eq!(parse(b"-9223372036854775808").unwrap().as_i64(), Some(i64::MIN));
        assert_eq!(parse(b"-1.5e2").unwrap().as_f64(), Some(-150.0));
    }

    #[test]
    fn what_is_no_json_is_told_with_its_place() {
        for (text, message) in [
            ("", "expected a value at byte 0"),
            ("{", "expected a member's name at byte 1"),
            ("{\"a\"}", "expected \":\" at byte 4"),
            ("{\"a\":1,}", "expected a member's name at byte 7"),
            ("[1 2]", "expected \",\" or \"]\" at byte 3"),
            ("[1,]", "expected a value at byte 3"),
            ("01", "expected the end at byte 1"),
            ("1.", "expected a digit at byte 2"),
            ("-", "expected a digit at byte 1"),
            ("nul", "expected null at byte 0"),
            ("\"a\n\"", "expected the rest of a string at byte 2"),
            ("\"\\x\"", "expected an escape at byte 2"),
            ("\"\\u12g4\"", "expected four hexadecimal digits at byte 5"),
            ("\"\\u12é\"", "expected four hexadecimal digits at byte 5"),
            ("\u{feff}1", "expected a value at byte 0"),
        ] {
            assert_eq!(written(text), message, "{text}");
        }
        assert_eq!(parse(b"\"\xff\"").unwrap_err().expected, "UTF-8");
    }

    #[test]
    fn every_beginning_of_a_value_is_an_error() {
        let text = r#"{"a":[1.5e3,"\ud83d\ude00",{"b":null}],"c":true}"#;
        for end in 0..text.len() {
            assert!(parse(&text.as_bytes()[..end]).is_err(), "{}", &text[..end]);
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert!(parse(nested(MAX_DEPTH).as_bytes()).is_ok());
        assert_eq!(parse(nested(1_000_000).as_bytes()).unwrap_err().expected, "fewer levels");
    }
}

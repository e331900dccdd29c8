use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// What kind of trouble an [`Error`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// Nobody answers at that address.
    CannotConnect,
    /// Somebody answers, but does not greet in time.
    TimedOut,
    /// What answers is no Glyphwire server.
    NotGlyphwire,
    /// The server speaks another version of the protocol.
    UnsupportedProtocol,
    /// The connection broke, or the server closed it before the stream was ended.
    ConnectionLost,
    /// The server refused a message; [`Error::wire_code`] says why.
    Refused,
    /// The server sent a line that is not what Protocol.md says.
    BadLine,
    /// The server sent a line longer than [`Settings::max_line_bytes`](crate::Settings::max_line_bytes).
    LineTooLong,
    /// A message is larger than the server takes; it was not sent, and the connection lives.
    MessageTooLarge,
    /// The connection was used after it was finished or closed.
    Closed,
}

impl ErrorCode {
    /// The code's name, the same in every client.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CannotConnect => "cannot_connect",
            Self::TimedOut => "timed_out",
            Self::NotGlyphwire => "not_glyphwire",
            Self::UnsupportedProtocol => "unsupported_protocol",
            Self::ConnectionLost => "connection_lost",
            Self::Refused => "refused",
            Self::BadLine => "bad_line",
            Self::LineTooLong => "line_too_long",
            Self::MessageTooLarge => "message_too_large",
            Self::Closed => "closed",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Why a connection could not be made, or cannot be used any more.
#[derive(Clone, Debug)]
pub struct Error {
    code: ErrorCode,
    message: String,
    wire_code: Option<String>,
    source: Option<Arc<io::Error>>,
}

impl Error {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), wire_code: None, source: None }
    }

    pub(crate) fn caused_by(self, error: io::Error) -> Self {
        Self { source: Some(Arc::new(error)), ..self }
    }

    /// That the server objects, as it says itself.
    pub(crate) fn refused(wire_code: &str, message: &str) -> Self {
        let message = format!("the server refused: {message} ({wire_code})");
        Self { wire_code: Some(wire_code.into()), ..Self::new(ErrorCode::Refused, message) }
    }

    pub(crate) fn closed() -> Self {
        Self::new(ErrorCode::Closed, "the connection was finished or closed; connect again to send more")
    }

    /// What kind of trouble it is.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// What was wrong, where, and what to do, in a sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Of an error of the server, its code as in Protocol.md.
    pub fn wire_code(&self) -> Option<&str> {
        self.wire_code.as_deref()
    }

    /// How long to wait before another attempt, whatever the policy says: rule X2 of Protocol.md.
    pub(crate) fn minimum_pause(&self) -> Duration {
        match self.wire_code() {
            Some("too_many_guesses") => Duration::from_secs(60),
            _ => Duration::ZERO,
        }
    }

    /// Whether another connection would end the same way.
    pub(crate) fn is_permanent(&self) -> bool {
        match self.code {
            ErrorCode::NotGlyphwire
            | ErrorCode::UnsupportedProtocol
            | ErrorCode::BadLine
            | ErrorCode::LineTooLong
            | ErrorCode::MessageTooLarge
            | ErrorCode::Closed => true,
            ErrorCode::Refused => matches!(
                self.wire_code(),
                Some("auth_required" | "auth_failed" | "message_too_large" | "message_too_short" | "wrong_protocol")
            ),
            _ => false,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|error| error as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_guesses_cost_a_minute() {
        assert_eq!(Error::refused("too_many_guesses", "").minimum_pause().as_secs(), 60);
        assert!(Error::refused("too_many_connections", "").minimum_pause().is_zero());
    }
}

use std::sync::Arc;
use std::time::Duration;

use crate::message::{Frame, MessageType};
use crate::stream::Stream;
use crate::{Error, FrameResult, Options, ReconnectPolicy, ServerLine};

/// The port that a server listens on unless it is told otherwise.
pub const PORT: u16 = 7411;

/// How a connection is made and kept.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Sent first, on every connection; `None`, the default, leaves the server's own in force.
    pub options: Option<Options>,
    /// How a lost connection is made again; `None`, the default, does not.
    pub reconnect: Option<ReconnectPolicy>,
    /// How long it may take to connect, to be greeted and to have the options taken; 10 seconds by default.
    pub connect_timeout: Duration,
    /// How long the server may send nothing while messages are unanswered; then the connection counts as lost.
    /// 30 seconds by default.
    pub answer_timeout: Duration,
    /// After how long without a message the client sends a ping, so that the server keeps the connection; `None`
    /// and zero send none. 4 minutes by default.
    pub ping_interval: Option<Duration>,
    /// The longest line that is taken; 16 MiB by default.
    pub max_line_bytes: usize,
    /// How many lines may wait to be read before reading from the socket pauses; 64 by default.
    pub line_buffer: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            options: None,
            reconnect: None,
            connect_timeout: Duration::from_secs(10),
            answer_timeout: Duration::from_secs(30),
            ping_interval: Some(Duration::from_secs(240)),
            max_line_bytes: 16 << 20,
            line_buffer: 64,
        }
    }
}

/// A connection to a server: frames go in, their text comes out.
///
/// Send and read in two threads, which may share a `&Connection`. A server that is behind stops reading, and so does
/// [`Connection::send`] wait; results that nobody reads stop everything that is behind them.
///
/// Every frame that was sent has exactly one result, in the order of the frames, unless the connection is closed. It
/// closes when it is dropped.
#[derive(Debug)]
pub struct Connection {
    stream: Arc<Stream>,
}

impl Connection {
    /// Connects, waits for the server's greeting and has it take the options.
    ///
    /// # Errors
    ///
    /// When nobody greets in time, or the server refuses the options; there is no second attempt.
    pub fn connect(host: &str, port: u16, settings: Settings) -> Result<Self, Error> {
        let stream = Stream::open(host, port, settings)?;
        Ok(Self { stream })
    }

    /// What the server said of itself when it was last connected to.
    pub fn hello(&self) -> ServerLine {
        self.stream.hello()
    }

    /// One result for each frame, in the order of the frames.
    ///
    /// Ends behind the last, or with an error when the connection is lost. It may be left and another begun: each line
    /// goes to whoever asks next, here or in [`Connection::lines`].
    pub fn results(&self) -> Results<'_> {
        Results { lines: self.lines() }
    }

    /// All lines, results among them.
    pub fn lines(&self) -> Lines<'_> {
        Lines { stream: &self.stream, has_ended: false }
    }

    /// Sends a frame, and returns its sequence when the socket has taken all of it.
    ///
    /// # Errors
    ///
    /// When the connection is lost for good, finished or closed, or the frame is larger than the server takes.
    pub fn send(&self, frame: &Frame<'_>) -> Result<u64, Error> {
        self.stream.send(frame)
    }

    /// Waits until fewer than two frames are unanswered; then take the newest picture of a camera, and send it.
    ///
    /// So the delay stays short, also over a slow network. Read the results meanwhile: while `line_buffer` of them are unread no
    /// answer comes in, and it does not wait.
    ///
    /// # Errors
    ///
    /// When the connection is lost for good, finished or closed.
    pub fn wait_until_sendable(&self) -> Result<(), Error> {
        self.stream.wait_until_sendable()
    }

    /// Sets the options for the frames that follow, and returns the `configured` line.
    ///
    /// # Errors
    ///
    /// As [`Connection::send`]; and when the server cannot honour the options: those of before stay in force then.
    pub fn configure(&self, options: &Options) -> Result<ServerLine, Error> {
        self.stream.configure(options)
    }

    /// Asks for a sign of life, and returns the `pong` line; `captured_us` is echoed.
    ///
    /// # Errors
    ///
    /// As [`Connection::send`].
    pub fn ping(&self, captured_us: u64) -> Result<ServerLine, Error> {
        self.stream.request(MessageType::Ping, captured_us, None)
    }

    /// Asks how long the stages took so far, and returns the `stats` line.
    ///
    /// # Errors
    ///
    /// As [`Connection::send`].
    pub fn stats(&self) -> Result<ServerLine, Error> {
        self.stream.request(MessageType::Stats, 0, None)
    }

    /// Ends the stream: waits until every frame has its result, and returns the `end` line.
    ///
    /// The results may be read afterwards, however many there are.
    ///
    /// # Errors
    ///
    /// As [`Connection::send`]; a loss is final from here on.
    pub fn finish(&self) -> Result<ServerLine, Error> {
        self.stream.finish()
    }

    /// Closes the connection at once; iterators end behind what was received already.
    pub fn close(&self) {
        self.stream.close();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.close();
    }
}

/// All lines of a connection, in the order in which they came.
#[derive(Debug)]
pub struct Lines<'a> {
    stream: &'a Stream,
    has_ended: bool,
}

impl Iterator for Lines<'_> {
    type Item = Result<ServerLine, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let line = self.stream.next_line();
        self.has_ended = !matches!(line, Some(Ok(_)));
        line
    }
}

/// One result for each frame, in the order of the frames.
#[derive(Debug)]
pub struct Results<'a> {
    lines: Lines<'a>,
}

impl Iterator for Results<'_> {
    type Item = Result<FrameResult, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let is_wanted = |line: &Result<ServerLine, _>| line.as_ref().map_or(true, |line| line.is("result"));
        Some(self.lines.find(is_wanted)?.map(FrameResult::from))
    }
}

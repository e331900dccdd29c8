//! What is behind a connection: a thread that connects, reads and connects again, and what it shares with its callers.

use std::collections::hash_map::RandomState;
use std::collections::VecDeque;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, IoSlice, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::{mpsc, Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::line::{LineReader, Received};
use crate::message::{Frame, Header, MessageType};
use crate::{Error, ErrorCode, ServerLine, Settings};

const PROTOCOL: u64 = 1;

/// A stream of frames, over one socket or several in a row.
pub(crate) struct Stream {
    host: String,
    port: u16,
    settings: Settings,
    /// Held while a message is written, so that messages follow each other whole; taken before `state`.
    turn: Mutex<()>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The socket in use, whether it is greeted or not.
    socket: Option<Arc<TcpStream>>,
    /// Whether messages may be written to it.
    is_open: bool,
    is_finishing: bool,
    has_ended: bool,
    /// Why it ended, unless that was asked for.
    failure: Option<Error>,
    /// The last greeting; says nothing before the first, when nobody has the stream yet.
    hello: ServerLine,
    /// The body of the `configure` that the server last took, to be sent again on another socket.
    options: Option<String>,
    /// Frames that were handed to the socket, wholly or in part, and have no result.
    unanswered: VecDeque<SentFrame>,
    /// Other messages that were handed to the socket and have no answer.
    requests: VecDeque<Request>,
    last_sequence: u64,
    last_request: u64,
    /// Attempts to reconnect since the last answer of a server. A greeting is none: `too_many_connections` may follow.
    attempts: u32,
    /// When something came last, or when the first message was sent that has no answer, if that is later.
    silent_since: Option<Instant>,
    /// Lines that nobody has taken yet.
    lines: VecDeque<ServerLine>,
}

struct SentFrame {
    sequence: u64,
    captured_us: u64,
}

struct Request {
    message_type: MessageType,
    sequence: u64,
    options: Option<String>,
    answer: mpsc::Sender<Result<ServerLine, Error>>,
}

impl Request {
    fn is_answered_by(&self, line: &ServerLine) -> bool {
        let answer = match self.message_type {
            MessageType::Frame => "result",
            MessageType::Configure => "configured",
            MessageType::Ping => "pong",
            MessageType::End => "end",
            MessageType::Stats => "stats",
        };
        line.u64("sequence") == Some(self.sequence) && (line.is(answer) || line.is("error"))
    }
}

/// Why a socket was given up.
struct Failure {
    error: Error,
    /// Whether there is no other attempt.
    is_final: bool,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let is_final = error.is_permanent();
        Self { error, is_final }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Stream({})", self.address())
    }
}

// What callers ask for.
impl Stream {
    /// Connects for the first time, and leaves a thread to read.
    pub(crate) fn open(host: &str, port: u16, settings: Settings) -> Result<Arc<Self>, Error> {
        let options = settings.options.as_ref().map(ToString::to_string);
        let stream = Arc::new(Self {
            host: host.into(),
            port,
            settings,
            turn: Mutex::default(),
            state: Mutex::new(State { options, ..State::default() }),
            changed: Condvar::new(),
        });
        let (opened, opening) = mpsc::channel();
        let reading = Arc::clone(&stream);
        thread::Builder::new()
            .name("glyphwire".into())
            .spawn(move || reading.run(opened))
            .map_err(|error| Error::new(ErrorCode::CannotConnect, "no thread can be started").caused_by(error))?;
        opening.recv().unwrap_or_else(|_| Err(Error::closed()))?;
        Ok(stream)
    }

    pub(crate) fn hello(&self) -> ServerLine {
        self.lock().hello.clone()
    }

    pub(crate) fn send(&self, frame: &Frame<'_>) -> Result<u64, Error> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.wait_until_open()?;
        let sequence = frame.sequence.unwrap_or(state.last_sequence.wrapping_add(1));
        let header = self.sendable(&state, frame.header(sequence), frame.payload.len())?;
        state.last_sequence = sequence;
        state.will_send();
        state.unanswered.push_back(SentFrame { sequence, captured_us: frame.captured_us });
        self.write(state, &header, frame.payload);
        Ok(sequence)
    }

    pub(crate) fn request(&self, message_type: MessageType, captured_us: u64, body: &str) -> Result<ServerLine, Error> {
        let (answer, answered) = mpsc::channel();
        {
            let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            let mut state = self.wait_until_open()?;
            state.last_request += 1;
            let sequence = state.last_request;
            let mut header = self.sendable(&state, Header::new(message_type, sequence, body.len()), body.len())?;
            header.captured_us = captured_us;
            state.is_finishing |= message_type == MessageType::End;
            let options = (message_type == MessageType::Configure).then(|| body.to_owned());
            state.will_send();
            state.requests.push_back(Request { message_type, sequence, options, answer });
            self.write(state, &header, body.as_bytes());
        }
        answered.recv().unwrap_or_else(|_| Err(self.reason(&self.lock())))
    }

    pub(crate) fn next_line(&self) -> Option<Result<ServerLine, Error>> {
        let mut state = self.wait_while(self.lock(), |state| state.lines.is_empty() && !state.has_ended);
        match state.lines.pop_front() {
            Some(line) => {
                self.changed.notify_all();
                Some(Ok(line))
            }
            None => state.failure.clone().map(Err),
        }
    }

    pub(crate) fn close(&self) {
        let mut state = self.lock();
        if !state.has_ended {
            state.unanswered.clear();
            self.end(state, None);
        }
    }

    /// The header, if the server that is there now takes the message: limits differ from one to the next (rule X3).
    fn sendable(&self, state: &State, header: Option<Header>, payload_bytes: usize) -> Result<Header, Error> {
        let told = state.hello.get("limits").and_then(|limits| limits.get("max_message_bytes")?.as_u64());
        let limit = told.unwrap_or(u64::MAX);
        header.filter(|header| u64::from(header.length()) <= limit).ok_or_else(|| {
            let limit = limit.min(u32::MAX.into());
            let message = format!(
                "a message of 28 and {payload_bytes} bytes, {} takes at most {limit}; send a smaller picture, or JPEG",
                self.address()
            );
            Error::new(ErrorCode::MessageTooLarge, message)
        })
    }

    fn wait_until_open(&self) -> Result<MutexGuard<'_, State>, Error> {
        let state = self.wait_while(self.lock(), |state| !state.is_open && !state.has_ended);
        if state.has_ended || state.is_finishing {
            return Err(self.reason(&state));
        }
        Ok(state)
    }

    /// Hands a message to the socket.
    ///
    /// A failure is no error here: reading finds the end of the socket, after what the server said before it.
    fn write(&self, state: MutexGuard<'_, State>, header: &Header, payload: &[u8]) {
        let Some(socket) = state.socket.clone() else { return };
        drop(state);
        if write_message(&socket, &header.encode(), payload).is_err() {
            let mut state = self.lock();
            if state.socket.as_ref().is_some_and(|current| Arc::ptr_eq(current, &socket)) {
                state.is_open = false;
            }
        }
    }

    /// Why nothing can be asked any more.
    fn reason(&self, state: &State) -> Error {
        state.failure.clone().unwrap_or_else(Error::closed)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while<'a>(
        &self,
        state: MutexGuard<'a, State>,
        condition: impl FnMut(&mut State) -> bool,
    ) -> MutexGuard<'a, State> {
        self.changed.wait_while(state, condition).unwrap_or_else(PoisonError::into_inner)
    }
}

// What the thread does.
impl Stream {
    /// Connects and reads, again and again as the policy says; `opened` is told how the first time went.
    fn run(&self, opened: mpsc::Sender<Result<(), Error>>) {
        let mut opened = Some(opened);
        loop {
            let Err(failure) = self.converse(&mut opened) else { return };
            let mut state = self.give_up_socket(&failure.error);
            if state.has_ended {
                return;
            }
            let policy = self.settings.reconnect.filter(|policy| {
                opened.is_none() && !failure.is_final && !state.is_finishing && state.attempts < policy.max_attempts
            });
            let Some(policy) = policy else {
                self.end(state, Some(failure.error.clone()));
                if let Some(opened) = opened {
                    // Whoever connects has to be there still.
                    let _ = opened.send(Err(failure.error));
                }
                return;
            };
            state.attempts += 1;
            let pause = policy.delay(state.attempts, chance()).max(failure.error.minimum_pause());
            drop(self.changed.wait_timeout_while(state, pause, |state| !state.has_ended));
        }
    }

    /// One socket, from connecting to its end; returns without a failure where that was asked for.
    fn converse(&self, opened: &mut Option<mpsc::Sender<Result<(), Error>>>) -> Result<(), Failure> {
        let deadline = Instant::now() + self.settings.connect_timeout;
        let socket = Arc::new(self.connected(deadline)?);
        {
            let mut state = self.lock();
            if state.has_ended {
                return Ok(());
            }
            state.socket = Some(Arc::clone(&socket));
        }
        let mut lines = LineReader::new(&*socket, self.settings.max_line_bytes);
        self.be_greeted(&mut lines, deadline)?;
        self.send_options(&socket, &mut lines, deadline)?;
        {
            let mut state = self.lock();
            state.is_open = !state.has_ended;
            self.changed.notify_all();
        }
        if let Some(opened) = opened.take() {
            // Whoever connects has to be there still.
            let _ = opened.send(Ok(()));
        }
        loop {
            let room = self.settings.line_buffer.max(1);
            let state = self.lock();
            if state.lines.len() >= room {
                // While nobody reads, nothing can have come.
                self.wait_while(state, |state| state.lines.len() >= room && !state.has_ended).heard();
            } else {
                drop(state);
            }
            let line = self.next_answer_of(&mut lines)?;
            let line = self.parsed(line, ErrorCode::BadLine)?;
            self.line_received(line)?;
            if self.lock().has_ended {
                return Ok(());
            }
        }
    }

    fn connected(&self, deadline: Instant) -> Result<TcpStream, Error> {
        let attempt = || {
            let mut failure = io::Error::new(io::ErrorKind::NotFound, "no address for the host");
            for address in (self.host.as_str(), self.port).to_socket_addrs()? {
                match TcpStream::connect_timeout(&address, remaining(deadline)?) {
                    Ok(socket) => {
                        socket.set_nodelay(true)?;
                        return Ok(socket);
                    }
                    Err(error) => failure = error,
                }
            }
            Err(failure)
        };
        attempt().map_err(|error: io::Error| {
            if is_timeout(&error) && Instant::now() >= deadline {
                return self.timed_out();
            }
            let message = format!(
                "cannot connect to {}: {error}; check that a server listens there (glyphwire serve) and that host and \
                 port are right",
                self.address()
            );
            Error::new(ErrorCode::CannotConnect, message).caused_by(error)
        })
    }

    fn be_greeted(&self, lines: &mut LineReader<&TcpStream>, deadline: Instant) -> Result<(), Failure> {
        let line = self.next_line_of(lines, deadline)?;
        let line = self.parsed(line, ErrorCode::NotGlyphwire)?;
        if let Some(error) = fatal_error(&line) {
            self.push(self.lock(), line);
            return Err(error.into());
        }
        if !line.is("hello") {
            let message = "the server's first line is no greeting; check the port";
            return Err(Error::new(ErrorCode::NotGlyphwire, message).into());
        }
        let protocol = line.u64("protocol");
        if protocol != Some(PROTOCOL) {
            let theirs = protocol.map_or("another version".into(), |protocol| format!("version {protocol}"));
            let message = format!(
                "the server speaks {theirs} of the protocol, this client {PROTOCOL}; update the older of the two"
            );
            return Err(Error::new(ErrorCode::UnsupportedProtocol, message).into());
        }
        let mut state = self.lock();
        state.hello = line.clone();
        self.push(state, line);
        Ok(())
    }

    /// Sends the options if there are any, and waits until the server has taken them.
    fn send_options(
        &self,
        socket: &TcpStream,
        lines: &mut LineReader<&TcpStream>,
        deadline: Instant,
    ) -> Result<(), Failure> {
        let mut state = self.lock();
        let Some(body) = state.options.clone() else { return Ok(()) };
        state.last_request += 1;
        let sequence = state.last_request;
        let header = self.sendable(&state, Header::new(MessageType::Configure, sequence, body.len()), body.len())?;
        let (answer, answered) = mpsc::channel();
        state.requests.push_back(Request {
            message_type: MessageType::Configure,
            sequence,
            options: Some(body.clone()),
            answer,
        });
        drop(state);
        // Where this fails, reading does too, and says why.
        let _ = write_message(socket, &header.encode(), body.as_bytes());
        loop {
            match answered.try_recv() {
                Ok(Ok(_)) => return Ok(()),
                Ok(Err(error)) => return Err(Failure { error, is_final: true }),
                Err(_) => {
                    let line = self.next_line_of(lines, deadline)?;
                    let line = self.parsed(line, ErrorCode::BadLine)?;
                    self.line_received(line)?;
                }
            }
        }
    }

    fn line_received(&self, line: ServerLine) -> Result<(), Failure> {
        let mut state = self.lock();
        if let Some(error) = fatal_error(&line) {
            self.push(state, line);
            return Err(error.into());
        }
        if is_answer(&line) {
            state.attempts = 0;
        }
        if line.is("result") {
            self.result_received(state, line)?;
            return Ok(());
        }
        // An end before the last result is none: the loss that follows is what is told.
        let is_early = line.is("end") && !state.unanswered.is_empty();
        let index = state.requests.iter().position(|request| request.is_answered_by(&line)).filter(|_| !is_early);
        let Some(request) = index.and_then(|index| state.requests.remove(index)) else {
            self.push(state, line);
            return Ok(());
        };
        let answer = match line.is("error") {
            true => Err(refusal(&line)),
            false => Ok(line.clone()),
        };
        if answer.is_ok() && request.options.is_some() {
            state.options = request.options;
        }
        state.lines.push_back(line);
        self.changed.notify_all();
        match request.message_type {
            MessageType::End if answer.is_ok() => self.end(state, None),
            _ => drop(state),
        }
        // Whoever asked may have gone.
        let _ = request.answer.send(answer);
        Ok(())
    }

    fn result_received(&self, mut state: MutexGuard<'_, State>, line: ServerLine) -> Result<(), Error> {
        let sequence = line.u64("sequence").unwrap_or_default();
        let expected = match state.unanswered.front() {
            Some(frame) if frame.sequence == sequence => {
                state.unanswered.pop_front();
                self.push(state, line);
                return Ok(());
            }
            Some(frame) => format!("frame {} is next", frame.sequence),
            None => "no frame waits for one".into(),
        };
        let message = format!(
            "the server sent a result for frame {sequence}, but {expected}; results come in the order of frames"
        );
        Err(Error::new(ErrorCode::BadLine, message))
    }

    fn push(&self, mut state: MutexGuard<'_, State>, line: ServerLine) {
        state.lines.push_back(line);
        self.changed.notify_all();
    }

    /// Closes the socket, and tells what was lost with it.
    fn give_up_socket(&self, error: &Error) -> MutexGuard<'_, State> {
        let mut guard = self.lock();
        let state = &mut *guard;
        state.close_socket();
        state.lines.extend(state.unanswered.drain(..).map(|frame| ServerLine::lost(frame.sequence, frame.captured_us)));
        for request in state.requests.drain(..) {
            // Whoever asked may have gone.
            let _ = request.answer.send(Err(error.clone()));
        }
        self.changed.notify_all();
        guard
    }

    /// Ends everything, because of `error` if there is one.
    fn end(&self, mut state: MutexGuard<'_, State>, error: Option<Error>) {
        state.has_ended = true;
        state.failure = error;
        state.close_socket();
        // Those who wait for an answer find their channels closed.
        state.requests.clear();
        self.changed.notify_all();
    }

    fn next_line_of(&self, lines: &mut LineReader<&TcpStream>, deadline: Instant) -> Result<Vec<u8>, Error> {
        let received = lines.next(|socket, _| socket.set_read_timeout(Some(remaining(deadline)?)));
        match received {
            Err(error) if is_timeout(&error) => Err(self.timed_out()),
            other => self.line_of(other),
        }
    }

    fn line_of(&self, received: io::Result<Received>) -> Result<Vec<u8>, Error> {
        match received {
            Ok(Received::Line(line)) => Ok(line),
            Ok(Received::TooLong) => {
                let limit = self.settings.max_line_bytes;
                let message = format!(
                    "{} sent a line of more than {limit} bytes; raise max_line_bytes if pages are that full",
                    self.address()
                );
                Err(Error::new(ErrorCode::LineTooLong, message))
            }
            Ok(Received::End) => Err(self.lost("was closed by the server")),
            Err(error) => Err(self.lost(&format!("broke: {error}")).caused_by(error)),
        }
    }

    /// The next line on an open connection; an error where the server is silent for too long.
    fn next_answer_of(&self, lines: &mut LineReader<&TcpStream>) -> Result<Vec<u8>, Error> {
        let limit = self.settings.answer_timeout;
        loop {
            let mut length = lines.pending_bytes();
            let received = lines.next(|socket, pending| {
                let mut state = self.lock();
                if pending != length {
                    length = pending;
                    state.heard();
                }
                let left = state.silence_left(limit);
                // A timeout of nothing would be none.
                socket.set_read_timeout(Some(left.max(Duration::from_millis(1))))
            });
            match received {
                Ok(Received::Line(line)) => {
                    self.lock().heard();
                    return Ok(line);
                }
                Err(error) if is_timeout(&error) => {
                    if self.lock().silence_left(limit).is_zero() {
                        return Err(self.silent());
                    }
                }
                other => return self.line_of(other),
            }
        }
    }

    fn parsed(&self, line: Vec<u8>, code: ErrorCode) -> Result<ServerLine, Error> {
        let start = String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned();
        ServerLine::parse(line).map_err(|reason| {
            let address = self.address();
            let message = match code {
                ErrorCode::NotGlyphwire => {
                    format!("{address} answers {start:?}, which is no Glyphwire greeting; check the port")
                }
                _ => format!("{address} sent a line that cannot be read ({reason}): {start:?}"),
            };
            Error::new(code, message)
        })
    }

    fn lost(&self, how: &str) -> Error {
        let message =
            format!("the connection to {} {how}; the server may have stopped, its log says why", self.address());
        Error::new(ErrorCode::ConnectionLost, message)
    }

    fn silent(&self) -> Error {
        let message = format!(
            "{} has sent nothing for {:?} while messages were unanswered; the server or the network may be down, or \
             answer_timeout too short for a server that many share",
            self.address(),
            self.settings.answer_timeout
        );
        Error::new(ErrorCode::ConnectionLost, message)
    }

    fn timed_out(&self) -> Error {
        let message = format!(
            "{} did not greet within {:?}; check that a Glyphwire server listens there",
            self.address(),
            self.settings.connect_timeout
        );
        Error::new(ErrorCode::TimedOut, message)
    }

    fn address(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

impl State {
    fn is_waiting(&self) -> bool {
        !self.unanswered.is_empty() || !self.requests.is_empty()
    }

    /// A message is about to wait for its answer.
    fn will_send(&mut self) {
        if !self.is_waiting() {
            self.heard();
        }
    }

    /// Bytes came, or could not have come because nobody read them.
    fn heard(&mut self) {
        self.silent_since = Some(Instant::now());
    }

    /// The time until the server counts as dead (rule A12), should nothing come; at most `limit`.
    fn silence_left(&self, limit: Duration) -> Duration {
        match self.silent_since.filter(|_| self.is_waiting()) {
            Some(since) => limit.saturating_sub(since.elapsed()),
            None => limit,
        }
    }

    fn close_socket(&mut self) {
        self.is_open = false;
        if let Some(socket) = self.socket.take() {
            // Wakes the thread that reads, or a caller that writes; the peer may have closed it already.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}

/// Writes a whole message, in as few packets as the socket makes of it.
fn write_message(mut socket: &TcpStream, mut header: &[u8], mut payload: &[u8]) -> io::Result<()> {
    while !header.is_empty() {
        match socket.write_vectored(&[IoSlice::new(header), IoSlice::new(payload)]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                let of_header = count.min(header.len());
                header = &header[of_header..];
                payload = &payload[count - of_header..];
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    socket.write_all(payload)
}

fn fatal_error(line: &ServerLine) -> Option<Error> {
    let is_fatal = line.is("error") && line.get("fatal").and_then(|fatal| fatal.as_bool()) == Some(true);
    is_fatal.then(|| refusal(line))
}

fn is_answer(line: &ServerLine) -> bool {
    ["result", "configured", "pong", "stats", "end", "error"].iter().any(|answer| line.is(answer))
}

/// That the server objects, as it says itself.
fn refusal(line: &ServerLine) -> Error {
    Error::refused(line.str("code").unwrap_or_default(), line.str("message").unwrap_or_default())
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

/// The time that is left; an error where there is none.
fn remaining(deadline: Instant) -> io::Result<Duration> {
    let remaining = deadline.saturating_duration_since(Instant::now());
    match remaining.is_zero() {
        true => Err(io::ErrorKind::TimedOut.into()),
        false => Ok(remaining),
    }
}

/// A number of 0...1, by the seed that hash maps have.
fn chance() -> f64 {
    RandomState::new().build_hasher().finish() as f64 / u64::MAX as f64
}

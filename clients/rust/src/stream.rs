//! What is behind a connection: a thread that connects, reads and connects again, and what it shares with its callers.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::net::TcpStream;
use std::sync::{mpsc, Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::line::{LineReader, Received};
use crate::message::{Frame, Header, MessageType};
use crate::socket::{self, is_timeout, remaining, write_message};
use crate::state::{Body, Request, SentFrame, State};
use crate::{Error, ErrorCode, Options, ServerLine, Settings};

const PROTOCOL: u64 = 1;
/// Longer times are this one, a century: more may be beyond what an `Instant` holds.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(100 * 365 * 86_400);

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

/// Ends a stream when its thread panics: callers must not wait for a thread that is gone.
struct EndOnPanic<'a>(&'a Stream);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.give_up();
        }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Stream({})", self.address())
    }
}

// What callers ask for.
impl Stream {
    fn new(host: &str, port: u16, settings: Settings) -> Self {
        let state = State::new(settings.options.as_ref(), settings.line_buffer.max(1));
        let (turn, state, changed) = (Mutex::default(), Mutex::new(state), Condvar::new());
        Self { host: host.into(), port, settings, turn, state, changed }
    }

    /// Connects for the first time, and leaves a thread to read.
    pub(crate) fn open(host: &str, port: u16, settings: Settings) -> Result<Arc<Self>, Error> {
        let stream = Arc::new(Self::new(host, port, settings));
        let (opened, opening) = mpsc::channel();
        let reading = Arc::clone(&stream);
        thread::Builder::new()
            .name("glyphwire".into())
            .spawn(move || {
                let _guard = EndOnPanic(&reading);
                reading.run(opened);
            })
            .map_err(|error| Error::new(ErrorCode::CannotConnect, "no thread can be started").caused_by(error))?;
        opening.recv().unwrap_or_else(|_| Err(Error::closed()))?;
        Ok(stream)
    }

    pub(crate) fn hello(&self) -> ServerLine {
        self.lock().hello.clone()
    }

    pub(crate) fn send(&self, frame: &Frame<'_>) -> Result<u64, Error> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.wait_to_send(MessageType::Frame)?;
        let sequence = frame.sequence.unwrap_or(state.last_sequence.wrapping_add(1));
        let header = self.sendable(&state, frame.header(sequence), frame.payload.len())?;
        state.last_sequence = sequence;
        state.unanswered.push_back(SentFrame { sequence, captured_us: frame.captured_us });
        state.sent();
        self.write(state, &header, frame.payload);
        Ok(sequence)
    }

    pub(crate) fn wait_until_sendable(&self) -> Result<(), Error> {
        let state = self.wait_while(self.lock(), |state| !state.is_sendable() && !state.has_ended);
        match state.has_ended {
            true => Err(self.reason(&state)),
            false => Ok(()),
        }
    }

    pub(crate) fn configure(&self, options: &Options) -> Result<ServerLine, Error> {
        self.request(MessageType::Configure, 0, Some(options.into()))
    }

    pub(crate) fn request(
        &self,
        message_type: MessageType,
        captured_us: u64,
        body: Option<Body>,
    ) -> Result<ServerLine, Error> {
        let payload = body.as_ref().map(|body| body.options.clone()).unwrap_or_default();
        let (answer, answered) = mpsc::channel();
        {
            let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            let mut state = self.wait_to_send(message_type)?;
            state.last_request += 1;
            let sequence = state.last_request;
            let mut header =
                self.sendable(&state, Header::new(message_type, sequence, payload.len()), payload.len())?;
            header.captured_us = captured_us;
            state.is_finishing |= message_type == MessageType::End;
            state.requests.push_back(Request { message_type, sequence, body, answer: Some(answer) });
            state.sent();
            self.write(state, &header, payload.as_bytes());
        }
        answered.recv().unwrap_or_else(|_| Err(self.reason(&self.lock())))
    }

    pub(crate) fn finish(&self) -> Result<ServerLine, Error> {
        // What is under way is bounded, and whoever finishes may be the one who reads afterwards.
        self.lock().room = usize::MAX;
        self.changed.notify_all();
        self.request(MessageType::End, 0, None)
    }

    pub(crate) fn next_line(&self) -> Option<Result<ServerLine, Error>> {
        let mut state = self.wait_while(self.lock(), |state| !state.has_lines() && !state.has_ended);
        match state.take_line() {
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
        let limit = state.limit("max_message_bytes").unwrap_or(u64::MAX);
        header.filter(|header| u64::from(header.length()) <= limit).ok_or_else(|| {
            let limit = limit.min(u32::MAX.into());
            let message = format!(
                "a message of 28 and {payload_bytes} bytes, {} takes at most {limit}; send a smaller picture, or JPEG",
                self.address()
            );
            Error::new(ErrorCode::MessageTooLarge, message)
        })
    }

    fn wait_to_send(&self, message_type: MessageType) -> Result<MutexGuard<'_, State>, Error> {
        let may_send = |state: &State| state.is_open && state.may_send(message_type);
        let state = self.wait_while(self.lock(), |state| !may_send(state) && !state.has_ended);
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
        // No answer is late while the socket takes parts of a message (rule A12).
        if write_message(&*socket, &header.encode(), payload, || self.lock().heard()).is_err() {
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
            let Err(failure) = self.converse(&mut opened).or_else(|failure| self.complete(failure)) else { return };
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
        let deadline = Instant::now() + self.settings.connect_timeout.min(LONGEST_TIMEOUT);
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
        let opening = self.lock().opening();
        for options in &opening {
            self.send_options(options, &socket, &mut lines, deadline)?;
        }
        {
            let mut state = self.lock();
            state.is_open = !state.has_ended && !state.is_leaving;
            self.changed.notify_all();
        }
        if let Some(opened) = opened.take() {
            // Whoever connects has to be there still.
            let _ = opened.send(Ok(()));
        }
        loop {
            let state = self.lock();
            if state.is_full() {
                // While nobody reads, nothing can have come.
                self.wait_while(state, |state| state.is_full() && !state.has_ended).heard();
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

    /// Ends a stream that is complete though its end has no answer; returns the failure of any other.
    fn complete(&self, failure: Failure) -> Result<(), Failure> {
        let end = self.lock().missing_end().filter(|_| failure.error.code() == ErrorCode::ConnectionLost);
        match end {
            Some(end) => self.line_received(end),
            None => Err(failure),
        }
    }

    fn connected(&self, deadline: Instant) -> Result<TcpStream, Error> {
        let connected = socket::connect(&self.host, self.port, deadline).and_then(|socket| {
            socket.set_nodelay(true)?;
            Ok(socket)
        });
        connected.map_err(|error| {
            let message = format!(
                "cannot connect to {}: {error}; check that a server listens there (glyphwire serve) and that host and \
                 port are right",
                self.address()
            );
            Error::new(ErrorCode::CannotConnect, message).caused_by(error)
        })
    }

    fn be_greeted(&self, lines: &mut LineReader<&TcpStream>, deadline: Instant) -> Result<(), Failure> {
        let received = next_of(lines, deadline);
        // A port that has greeted before is the right one.
        if matches!(received, Ok(Received::End)) && !self.lock().hello.is("hello") {
            return Err(self.closed_before_greeting().into());
        }
        let line = self.line_in_time(received)?;
        let line = self.parsed(line, ErrorCode::NotGlyphwire)?;
        if let Some(error) = fatal_error(&line) {
            self.push(self.lock(), line, false);
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
        state.greeted(&line);
        self.push(state, line, true);
        Ok(())
    }

    /// Sends options, and waits until the server has taken them.
    fn send_options(
        &self,
        body: &str,
        socket: &TcpStream,
        lines: &mut LineReader<&TcpStream>,
        deadline: Instant,
    ) -> Result<(), Failure> {
        let mut state = self.lock();
        if state.is_leaving {
            drop(state);
            // Between the token and the options, which another server is to have (rule G4).
            return Err(self.lost("was closed by the server").into());
        }
        state.last_request += 1;
        let sequence = state.last_request;
        let header = self.sendable(&state, Header::new(MessageType::Configure, sequence, body.len()), body.len())?;
        let (answer, answered) = mpsc::channel();
        state.requests.push_back(Request {
            message_type: MessageType::Configure,
            sequence,
            body: None,
            answer: Some(answer),
        });
        state.sent();
        drop(state);
        // Where this fails, reading does too, and says why.
        let _ = write_message(socket, &header.encode(), body.as_bytes(), || ());
        loop {
            match answered.try_recv() {
                Ok(Ok(_)) => return Ok(()),
                Ok(Err(error)) => return Err(Failure { error, is_final: true }),
                Err(_) => {
                    let line = self.line_in_time(next_of(lines, deadline))?;
                    let line = self.parsed(line, ErrorCode::BadLine)?;
                    self.line_received(line)?;
                }
            }
        }
    }

    fn line_received(&self, line: ServerLine) -> Result<(), Failure> {
        let mut state = self.lock();
        if let Some(error) = fatal_error(&line) {
            self.push(state, line, false);
            return Err(error.into());
        }
        if is_answer(&line) {
            state.attempts = 0;
        }
        if line.is("result") {
            self.result_received(state, line)?;
            return Ok(());
        }
        if line.is("goaway") {
            state.leaves();
        }
        // An end before the last result is none: the loss that follows is what is told.
        let is_early = line.is("end") && !state.unanswered.is_empty();
        let index = state.requests.iter().position(|request| request.is_answered_by(&line)).filter(|_| !is_early);
        let Some(request) = index.and_then(|index| state.requests.remove(index)) else {
            self.push(state, line, false);
            return Ok(());
        };
        let answer = match line.is("error") {
            true => Err(refusal(&line)),
            false => Ok(line.clone()),
        };
        if line.is("configured") {
            state.configured(request.body, &line);
        }
        let Some(asked) = request.answer else { return Ok(()) };
        state.keep(line, true);
        self.changed.notify_all();
        match request.message_type {
            MessageType::End if answer.is_ok() => self.end(state, None),
            _ => drop(state),
        }
        // Whoever asked may have gone.
        let _ = asked.send(answer);
        Ok(())
    }

    fn result_received(&self, mut state: MutexGuard<'_, State>, line: ServerLine) -> Result<(), Error> {
        let sequence = line.u64("sequence").unwrap_or_default();
        let expected = match state.unanswered.front() {
            Some(frame) if frame.sequence == sequence => {
                state.unanswered.pop_front();
                state.answered_frames += 1;
                self.push(state, line, false);
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

    fn push(&self, mut state: MutexGuard<'_, State>, line: ServerLine, has_caller: bool) {
        state.keep(line, has_caller);
        self.changed.notify_all();
    }

    /// Closes the socket, and tells what was lost with it.
    fn give_up_socket(&self, error: &Error) -> MutexGuard<'_, State> {
        let mut guard = self.lock();
        let state = &mut *guard;
        state.close_socket();
        for frame in std::mem::take(&mut state.unanswered) {
            state.keep(ServerLine::lost(frame.sequence, frame.captured_us), false);
        }
        for asked in state.requests.drain(..).filter_map(|request| request.answer) {
            // Whoever asked may have gone.
            let _ = asked.send(Err(error.clone()));
        }
        self.changed.notify_all();
        guard
    }

    /// Ends everything because the thread that reads panics.
    fn give_up(&self) {
        let message = format!("the connection to {} was given up: its thread has panicked", self.address());
        let error = Error::new(ErrorCode::ConnectionLost, message);
        let state = self.give_up_socket(&error);
        if !state.has_ended {
            self.end(state, Some(error));
        }
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

    /// A line that was to come before a deadline.
    fn line_in_time(&self, received: io::Result<Received>) -> Result<Vec<u8>, Error> {
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
        let interval = self.settings.ping_interval;
        loop {
            let mut length = lines.pending_bytes();
            let received = lines.next(|socket, pending| {
                let mut state = self.lock();
                if pending != length {
                    length = pending;
                    state.heard();
                }
                let left = state.silence_left(limit).min(state.ping_left(interval).unwrap_or(limit));
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
                    self.ping_idle();
                }
                other => return self.line_of(other),
            }
        }
    }

    /// Sends a ping that only the client knows of where one is due, unless somebody sends a message just then.
    ///
    /// It does not block: what was sent before is answered, and has left the socket.
    fn ping_idle(&self) {
        let is_due = |state: &State| state.ping_left(self.settings.ping_interval) == Some(Duration::ZERO);
        if !is_due(&self.lock()) {
            return;
        }
        let Ok(_turn) = self.turn.try_lock() else { return self.lock().sent() };
        let mut state = self.lock();
        if !is_due(&state) {
            return;
        }
        state.last_request += 1;
        let (message_type, sequence) = (MessageType::Ping, state.last_request);
        let Some(header) = Header::new(message_type, sequence, 0) else { return };
        state.requests.push_back(Request { message_type, sequence, body: None, answer: None });
        state.sent();
        self.write(state, &header, &[]);
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

    fn closed_before_greeting(&self) -> Error {
        let message = format!(
            "the connection to {} was closed before a greeting; is this the port for frames (7411), not the one for \
             HTTP? If it is, the server's log says why",
            self.address()
        );
        Error::new(ErrorCode::ConnectionLost, message)
    }

    fn lost(&self, how: &str) -> Error {
        let advice = match self.lock().is_leaving {
            true => "the server stops, and accepted nothing more; connect again later",
            false => "the server may have stopped, its log says why",
        };
        let message = format!("the connection to {} {how}; {advice}", self.address());
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

/// What comes next, until the deadline.
fn next_of(lines: &mut LineReader<&TcpStream>, deadline: Instant) -> io::Result<Received> {
    lines.next(|socket, _| socket.set_read_timeout(Some(remaining(deadline)?)))
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

/// A number of 0...1, by the seed that hash maps have.
fn chance() -> f64 {
    RandomState::new().build_hasher().finish() as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_thread_that_reads_leaves_nobody_waiting() {
        let stream = Stream::new("localhost", 7411, Settings::default());
        stream.lock().is_open = true;
        thread::scope(|scope| {
            let asking = scope.spawn(|| stream.request(MessageType::Ping, 0, None));
            let reading = scope.spawn(|| {
                let _guard = EndOnPanic(&stream);
                while stream.lock().requests.is_empty() {
                    thread::yield_now();
                }
                panic!("as the test has it");
            });
            assert!(reading.join().is_err());
            assert_eq!(asking.join().unwrap().unwrap_err().code(), ErrorCode::ConnectionLost);
        });
        assert_eq!(stream.next_line().unwrap().unwrap_err().code(), ErrorCode::ConnectionLost);
        assert_eq!(stream.send(&Frame::jpeg(b"a picture")).unwrap_err().code(), ErrorCode::ConnectionLost);
    }
}

//! What a connection knows of itself, of the server and of the messages under way.

use std::collections::VecDeque;
use std::net::{Shutdown, TcpStream};
use std::sync::{mpsc, Arc};
use std::time::{Duration, Instant};

use crate::message::{Header, MessageType};
use crate::{Error, Options, ServerLine};

/// Well below the five seconds in which servers expect the first message (rule A9).
const FIRST_PING_DELAY: Duration = Duration::from_secs(2);

/// How many frames are unanswered for each that the server works on, so that the next are there in time.
const FRAMES_PER_WINDOW: u64 = 2;

/// How many frames of a camera are unanswered at most: two keep network and server busy (rule D9).
const CAMERA_FRAMES: usize = 2;

/// What the callers of a connection share with its thread.
#[derive(Default)]
pub(crate) struct State {
    /// The socket in use, whether it is greeted or not.
    pub(crate) socket: Option<Arc<TcpStream>>,
    /// Whether messages may be written to it.
    pub(crate) is_open: bool,
    /// Whether the server stops: it takes no more messages, and closes behind its last answer.
    pub(crate) is_leaving: bool,
    /// How many frames the server works on at once, if it leaves none out.
    window: Option<u64>,
    pub(crate) is_finishing: bool,
    pub(crate) has_ended: bool,
    /// Why it ended, unless that was asked for.
    pub(crate) failure: Option<Error>,
    /// The last greeting; says nothing before the first, when nobody has the stream yet.
    pub(crate) hello: ServerLine,
    /// What the server last took, to be sent again on another socket.
    body: Option<Body>,
    /// The last token that it took, as a body of its own, which `body` may lack.
    token: Option<String>,
    /// Frames that were handed to the socket, wholly or in part, and have no result.
    pub(crate) unanswered: VecDeque<SentFrame>,
    /// How many frames the server at hand has answered.
    pub(crate) answered_frames: u64,
    /// Other messages that were handed to the socket and have no answer.
    pub(crate) requests: VecDeque<Request>,
    pub(crate) last_sequence: u64,
    pub(crate) last_request: u64,
    /// Attempts to reconnect since the last answer of a server. A greeting is none: `too_many_connections` may follow.
    pub(crate) attempts: u32,
    /// When something was heard last, or when the first message was sent that has no answer, if that is later.
    pub(crate) silent_since: Option<Instant>,
    /// When a message was begun last, or else when the server greeted; and whether one was since.
    pub(crate) sent_at: Option<Instant>,
    pub(crate) has_sent: bool,
    /// Lines that nobody has taken yet.
    lines: VecDeque<KeptLine>,
    /// How many of them nobody has otherwise: they hold up reading when there are `room`.
    held: usize,
    pub(crate) room: usize,
}

struct KeptLine {
    line: ServerLine,
    /// Whether it was given to whoever asked for it, too.
    has_caller: bool,
}

pub(crate) struct SentFrame {
    pub(crate) sequence: u64,
    pub(crate) captured_us: u64,
}

/// What a `configure` carries.
#[derive(Clone)]
pub(crate) struct Body {
    pub(crate) options: String,
    /// The token of the options as a body of its own, if they have one.
    token: Option<String>,
}

impl From<&Options> for Body {
    fn from(options: &Options) -> Self {
        Self { options: options.to_string(), token: options.token_alone().map(|token| token.to_string()) }
    }
}

pub(crate) struct Request {
    pub(crate) message_type: MessageType,
    pub(crate) sequence: u64,
    /// What the server is sent again on another socket, once it has taken it.
    pub(crate) body: Option<Body>,
    /// Who asked; `None` for the client itself.
    pub(crate) answer: Option<mpsc::Sender<Result<ServerLine, Error>>>,
}

impl Request {
    pub(crate) fn is_answered_by(&self, line: &ServerLine) -> bool {
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

impl State {
    pub(crate) fn new(options: Option<&Options>, room: usize) -> Self {
        let mut state = Self { room, ..Self::default() };
        if let Some(options) = options {
            state.taken(options.into());
        }
        state
    }

    /// The server has greeted, and nothing was sent to it yet.
    pub(crate) fn greeted(&mut self, hello: &ServerLine) {
        self.hello = hello.clone();
        self.sent_at = Some(Instant::now());
        self.has_sent = false;
        self.window = None;
        self.answered_frames = 0;
    }

    /// The options to send first on a socket, each once the server has taken those before.
    ///
    /// The token goes alone where the options have none (rule A1), or are longer than it allows before (rule N1).
    pub(crate) fn opening(&self) -> Vec<String> {
        let Some(body) = self.body.clone() else { return Vec::new() };
        let limit = self.limit("max_unauthenticated_bytes").unwrap_or(u64::MAX);
        let header = Header::new(MessageType::Configure, 0, body.options.len());
        let is_too_long = header.map_or(u64::MAX, |header| header.length().into()) > limit;
        let token = self.token.clone().filter(|_| self.is_asked_for_token() && (body.token.is_none() || is_too_long));
        token.into_iter().chain([body.options]).collect()
    }

    /// One of the server's limits, if it tells it.
    pub(crate) fn limit(&self, name: &str) -> Option<u64> {
        self.hello.get("limits")?.get(name)?.as_u64()
    }

    fn is_asked_for_token(&self) -> bool {
        self.hello.str("auth") == Some("token")
    }

    /// Keeps options for other sockets, and their token also for options without one.
    fn taken(&mut self, body: Body) {
        self.token = body.token.clone().or(self.token.take());
        self.body = Some(body);
    }

    /// The server has taken options; those of the client's own are kept already.
    pub(crate) fn configured(&mut self, body: Option<Body>, line: &ServerLine) {
        if let Some(body) = body {
            self.taken(body);
        }
        self.window = line.u64("window").filter(|&window| window > 0);
    }

    /// Whether a message may be sent now, as far as the open connection goes.
    ///
    /// Where the server reads every frame, few are under way, and the end follows the last answer: so little is lost with a
    /// server that stops. Unread results hold up nothing here, since whoever sends may be the one who reads afterwards.
    pub(crate) fn may_send(&self, message_type: MessageType) -> bool {
        let Some(window) = self.window else { return true };
        match message_type {
            MessageType::Frame => self.is_full() || self.unanswered.len() as u64 / FRAMES_PER_WINDOW < window,
            MessageType::End => self.unanswered.is_empty(),
            _ => true,
        }
    }

    /// Whether a frame of a camera may be sent: few are unanswered, or their answers cannot come in.
    pub(crate) fn is_sendable(&self) -> bool {
        self.is_open && (self.is_full() || self.unanswered.len() < CAMERA_FRAMES)
    }

    /// The server has announced that it stops.
    pub(crate) fn leaves(&mut self) {
        self.is_open = false;
        self.is_leaving = true;
    }

    /// The `end` line that a server which stops does not send, if the stream that ends so is complete (rule G4).
    ///
    /// The client's `end` has crossed the `goaway` then, and every other message has its answer.
    pub(crate) fn missing_end(&self) -> Option<ServerLine> {
        let is_last = self.is_leaving && self.unanswered.is_empty() && self.requests.len() == 1;
        let request = self.requests.front().filter(|request| is_last && request.message_type == MessageType::End)?;
        Some(ServerLine::end(request.sequence, self.answered_frames))
    }

    /// A message is sent. Its answer is not late yet; those of earlier messages may be.
    pub(crate) fn sent(&mut self) {
        self.sent_at = Some(Instant::now());
        self.has_sent = true;
        if self.unanswered.len() + self.requests.len() <= 1 {
            self.heard();
        }
    }

    /// Whether the server has to answer, or to close since it stops.
    fn is_waiting(&self) -> bool {
        !self.unanswered.is_empty() || !self.requests.is_empty() || self.is_leaving
    }

    /// The time until a ping is due (rules A9 and A10); `None` while none will be.
    pub(crate) fn ping_left(&self, interval: Option<Duration>) -> Option<Duration> {
        let is_unwelcome = !self.has_sent && self.is_asked_for_token();
        let interval = interval.filter(|interval| !interval.is_zero())?;
        if !self.is_open || self.is_waiting() || is_unwelcome {
            return None;
        }
        let interval = if self.has_sent { interval } else { interval.min(FIRST_PING_DELAY) };
        Some(interval.saturating_sub(self.sent_at?.elapsed()))
    }

    /// Bytes came, or could not have come because nobody read them, or the socket took a part of a message.
    pub(crate) fn heard(&mut self) {
        self.silent_since = Some(Instant::now());
    }

    /// The time until the server counts as dead (rule A12), should nothing come; at most `limit`.
    pub(crate) fn silence_left(&self, limit: Duration) -> Duration {
        match self.silent_since.filter(|_| self.is_waiting()) {
            Some(since) => limit.saturating_sub(since.elapsed()),
            None => limit,
        }
    }

    pub(crate) fn close_socket(&mut self) {
        self.is_open = false;
        self.is_leaving = false;
        if let Some(socket) = self.socket.take() {
            // Wakes the thread that reads, or a caller that writes; the peer may have closed it already.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }

    /// Has a line wait for a reader. Where nobody reads, one that its caller has is left out.
    pub(crate) fn keep(&mut self, line: ServerLine, has_caller: bool) {
        if has_caller && self.lines.len() >= self.room {
            return;
        }
        self.held += usize::from(!has_caller);
        self.lines.push_back(KeptLine { line, has_caller });
    }

    pub(crate) fn take_line(&mut self) -> Option<ServerLine> {
        let kept = self.lines.pop_front()?;
        self.held -= usize::from(!kept.has_caller);
        Some(kept.line)
    }

    pub(crate) fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Whether enough lines wait that reading pauses.
    pub(crate) fn is_full(&self) -> bool {
        self.held >= self.room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(60);

    /// A frame was begun, and nothing was heard for too long.
    fn send_late(state: &mut State) {
        state.unanswered.push_back(SentFrame { sequence: 1, captured_us: 0 });
        state.silent_since = Instant::now().checked_sub(2 * LIMIT);
    }

    #[test]
    fn the_time_to_answer_counts_from_when_a_message_was_sent() {
        let mut state = State::new(None, 1);
        send_late(&mut state);
        assert!(state.silence_left(LIMIT).is_zero());
        state.sent();
        assert!(!state.silence_left(LIMIT).is_zero());
        send_late(&mut state);
        state.sent();
        assert!(state.silence_left(LIMIT).is_zero());
    }

    #[test]
    fn without_an_interval_or_before_the_token_there_are_no_pings() {
        let greeted = |auth: &str| {
            let hello = format!(r#"{{"type":"hello","protocol":1,"auth":"{auth}"}}"#);
            let mut state = State { is_open: true, ..State::new(None, 1) };
            state.greeted(&ServerLine::parse(hello.into_bytes()).unwrap());
            state
        };
        assert!(greeted("none").ping_left(Some(LIMIT)).unwrap() <= FIRST_PING_DELAY);
        assert_eq!(greeted("none").ping_left(None), None);
        assert_eq!(greeted("none").ping_left(Some(Duration::ZERO)), None);
        assert_eq!(greeted("token").ping_left(Some(LIMIT)), None);
    }

    #[test]
    fn a_token_goes_alone_where_options_lack_it_or_are_too_long() {
        let options = Options::new().token("secret").client("camera 7");
        let (whole, token) = (options.to_string(), r#"{"token":"secret"}"#);
        let length = Header::new(MessageType::Configure, 0, whole.len()).unwrap().length();
        let mut state = State::new(Some(&options), 1);
        let mut opening = |auth: &str, limit: u32, accepted: &[Options]| {
            let limits = format!(r#"{{"max_unauthenticated_bytes":{limit}}}"#);
            let hello = format!(r#"{{"type":"hello","protocol":1,"auth":"{auth}","limits":{limits}}}"#);
            accepted.iter().for_each(|options| state.taken(options.into()));
            state.greeted(&ServerLine::parse(hello.into_bytes()).unwrap());
            state.opening()
        };
        assert_eq!(opening("token", length, &[]), [whole.as_str()]);
        assert_eq!(opening("token", length - 1, &[]), [token, whole.as_str()]);
        assert_eq!(opening("none", length - 1, &[]), [whole.as_str()]);
        assert_eq!(opening("token", length, &[Options::new()]), [token, "{}"]);
        assert_eq!(opening("none", length, &[]), ["{}"]);
        let another = [Options::new().token("another"), Options::new()];
        assert_eq!(opening("token", length, &another), [r#"{"token":"another"}"#, "{}"]);
        assert!(State::new(None, 1).opening().is_empty());
    }

    #[test]
    fn a_server_that_says_goaway_and_does_not_go_is_given_up() {
        let mut state = State { silent_since: Instant::now().checked_sub(2 * LIMIT), ..State::new(None, 1) };
        assert!(!state.silence_left(LIMIT).is_zero());
        state.leaves();
        assert!(state.silence_left(LIMIT).is_zero());
    }

    #[test]
    fn a_frame_of_a_camera_is_sendable_while_fewer_than_two_are_unanswered_or_reading_pauses() {
        let mut state = State { is_open: true, ..State::new(None, 1) };
        for _ in 0..CAMERA_FRAMES {
            assert!(state.is_sendable());
            send_late(&mut state);
        }
        assert!(!state.is_sendable());
        state.unanswered.pop_front();
        assert!(state.is_sendable());
        send_late(&mut state);
        state.held = state.room;
        assert!(state.is_sendable());
        state.leaves();
        assert!(!state.is_sendable());
    }

    #[test]
    fn few_files_are_under_way_and_the_end_is_behind_them() {
        let mut state = State::new(None, 1);
        state.configured(None, &ServerLine::parse(br#"{"type":"configured","window":1}"#.to_vec()).unwrap());
        for _ in 0..FRAMES_PER_WINDOW {
            assert!(state.may_send(MessageType::Frame));
            send_late(&mut state);
        }
        assert!(!state.may_send(MessageType::Frame) && !state.may_send(MessageType::End));
        assert!(state.may_send(MessageType::Ping));
        state.keep(ServerLine::lost(1, 0), false);
        assert!(state.may_send(MessageType::Frame));
    }
}

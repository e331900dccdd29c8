//! Connections to a server with canned answers.
#![cfg(feature = "std")]

#[allow(dead_code)]
mod support;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Arc};
use std::thread;
use std::time::Duration;

use glyphwire::{Connection, Error, ErrorCode, Frame, FrameResult, Options, ReconnectPolicy, Settings};
use support::{ok, Peer, Stub, HELLO};

const JPEG: Frame = Frame::jpeg(b"a picture");

fn reconnecting() -> Settings {
    let policy = ReconnectPolicy {
        initial_delay: Duration::from_millis(1),
        max_delay: Duration::from_millis(5),
        ..ReconnectPolicy::default()
    };
    Settings { reconnect: Some(policy), ..Settings::default() }
}

fn connect(stub: &Stub, settings: Settings) -> Result<Connection, Error> {
    Connection::connect("127.0.0.1", stub.port, settings)
}

/// What is read until the connection ends, and how it ends.
fn outcome(connection: &Connection) -> (Vec<FrameResult>, Option<Error>) {
    let mut results = Vec::new();
    for result in connection.results() {
        match result {
            Ok(result) => results.push(result),
            Err(error) => return (results, Some(error)),
        }
    }
    (results, None)
}

fn codes(results: &[FrameResult]) -> Vec<(u64, &str)> {
    results.iter().map(|result| (result.sequence, result.code.as_deref().unwrap_or("ok"))).collect()
}

fn is_refusal(error: &Error, wire_code: &str) -> bool {
    error.code() == ErrorCode::Refused && error.wire_code() == Some(wire_code)
}

#[test]
fn times_without_end_are_taken() {
    let stub = Stub::new(|_, peer| peer.serve(|frame| ok(frame.sequence)));
    let without_end = Settings {
        connect_timeout: Duration::MAX,
        answer_timeout: Duration::MAX,
        ping_interval: Some(Duration::MAX),
        ..Settings::default()
    };
    let connection = connect(&stub, without_end).unwrap();
    connection.send(&JPEG).unwrap();
    connection.finish().unwrap();
    assert_eq!(codes(&outcome(&connection).0), [(1, "ok")]);
}

#[test]
fn results_come_in_order_with_the_line_as_it_was_received() {
    let stub = Stub::new(|_, peer| {
        peer.serve(|message| format!(r#"{{ "type":"result","status":"new","sequence":{} }}"#, message.sequence));
    });
    let connection = connect(&stub, Settings::default()).unwrap();
    assert_eq!(connection.hello().get("protocol").and_then(|protocol| protocol.as_u64()), Some(1));
    assert_eq!(connection.send(&JPEG).unwrap(), 1);
    assert_eq!(connection.send(&Frame { sequence: Some(u64::MAX), ..JPEG }).unwrap(), u64::MAX);
    assert_eq!(connection.send(&JPEG).unwrap(), 0);
    assert_eq!(connection.finish().unwrap().u64("frames"), Some(3));
    let (results, error) = outcome(&connection);
    assert!(error.is_none());
    assert_eq!(results[0].line, r#"{ "type":"result","status":"new","sequence":1 }"#);
    assert_eq!(codes(&results), [(1, "ok"), (u64::MAX, "ok"), (0, "ok")]);
}

#[test]
fn frames_and_lines_larger_than_any_buffer_pass_while_both_sides_send() {
    let text = "x".repeat(1 << 20);
    let stub = Stub::new(move |_, peer| {
        peer.serve(|message| ok(message.sequence).replace(r#""text":"""#, &format!(r#""text":"{text}""#)));
    });
    let connection = connect(&stub, Settings { line_buffer: 2, ..Settings::default() }).unwrap();
    let (results, error) = thread::scope(|scope| {
        let sending = scope.spawn(|| {
            let payload = vec![0; 1 << 20];
            for _ in 0..24 {
                connection.send(&Frame::jpeg(&payload)).unwrap();
            }
            connection.finish().unwrap();
        });
        let outcome = outcome(&connection);
        sending.join().unwrap();
        outcome
    });
    assert!(error.is_none());
    assert_eq!(results.len(), 24);
    assert!(results.iter().all(|result| result.text.len() == 1 << 20));
}

#[test]
fn reading_pauses_while_lines_wait_that_nobody_takes() {
    let sent = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&sent);
    let (stalled, stalling) = mpsc::channel();
    let stub = Stub::new(move |_, peer| {
        peer.send(HELLO);
        peer.0.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
        let line = format!("{{\"type\":\"news\",\"text\":\"{}\"}}\n", "x".repeat(1 << 20));
        // More than all buffers between the two can hold, unless the client goes on reading.
        for _ in 0..64 {
            if std::io::Write::write_all(&mut peer.0, line.as_bytes()).is_err() {
                break;
            }
            count.fetch_add(1, Ordering::SeqCst);
        }
        stalled.send(()).unwrap();
    });
    let _connection = connect(&stub, Settings { line_buffer: 4, ..Settings::default() }).unwrap();
    stalling.recv().unwrap();
    assert!(sent.load(Ordering::SeqCst) < 64);
}

#[test]
fn a_stream_may_finish_before_it_is_read() {
    let stub = Stub::new(|_, peer| peer.serve(|message| ok(message.sequence)));
    let connection = connect(&stub, Settings { line_buffer: 2, ..Settings::default() }).unwrap();
    for _ in 0..200 {
        connection.send(&JPEG).unwrap();
    }
    assert_eq!(connection.finish().unwrap().u64("frames"), Some(200));
    assert_eq!(outcome(&connection).0.len(), 200);
}

#[test]
fn answers_that_nobody_reads_hold_up_nothing() {
    let stub = Stub::new(|_, peer| peer.serve(|message| ok(message.sequence)));
    let connection = connect(&stub, Settings { line_buffer: 4, ..Settings::default() }).unwrap();
    for _ in 0..100 {
        connection.ping(0).unwrap();
    }
}

#[test]
fn whoever_waits_until_a_frame_is_sendable_goes_on_with_an_answer_and_with_the_end() {
    // Frames are answered at a ping.
    let stub = Stub::new(|_, peer| {
        peer.send(HELLO);
        let mut waiting = Vec::new();
        while let Some(message) = peer.message() {
            waiting.push(message.sequence);
            if message.message_type == 3 {
                let sequence = waiting.pop().unwrap();
                waiting.drain(..).for_each(|sequence| peer.send(&ok(sequence)));
                peer.send(&format!(r#"{{"type":"pong","sequence":{sequence}}}"#));
            }
        }
    });
    let connection = connect(&stub, Settings::default()).unwrap();
    for _ in 0..2 {
        connection.wait_until_sendable().unwrap();
        connection.send(&JPEG).unwrap();
    }
    thread::scope(|scope| {
        let waiting = scope.spawn(|| connection.wait_until_sendable());
        connection.ping(0).unwrap();
        waiting.join().unwrap().unwrap();
    });
    connection.close();
    assert_eq!(connection.wait_until_sendable().unwrap_err().code(), ErrorCode::Closed);
}

#[test]
fn results_that_nobody_reads_hold_up_no_frame_of_a_camera() {
    let stub = Stub::new(|_, peer| peer.serve(|message| ok(message.sequence)));
    let connection = connect(&stub, Settings { line_buffer: 1, ..Settings::default() }).unwrap();
    for _ in 0..6 {
        connection.wait_until_sendable().unwrap();
        connection.send(&JPEG).unwrap();
    }
    connection.finish().unwrap();
    assert_eq!(outcome(&connection).0.len(), 6);
}

#[test]
fn a_connection_with_nothing_to_send_pings() {
    let (tell, pings) = mpsc::channel();
    let stub = Stub::new(move |_, peer| {
        peer.send(HELLO);
        while let Some(message) = peer.message() {
            let answer = if message.message_type == 3 { "pong" } else { "end" };
            // Nobody may listen any more.
            let _ = tell.send(answer);
            peer.send(&format!(r#"{{"type":"{answer}","sequence":{}}}"#, message.sequence));
        }
    });
    let often = Settings { ping_interval: Some(Duration::from_millis(20)), ..Settings::default() };
    let connection = connect(&stub, often).unwrap();
    assert_eq!(pings.iter().take(3).collect::<Vec<_>>(), ["pong"; 3]);
    connection.finish().unwrap();
    let types: Vec<_> = connection.lines().map(|line| line.unwrap().line_type().to_owned()).collect();
    assert_eq!(types, ["hello", "end"]);
}

#[test]
fn behind_a_goaway_nothing_is_sent_until_there_is_another_connection() {
    let (tell, silence) = mpsc::channel();
    let stub = Stub::new(move |number, peer| {
        if number > 0 {
            return peer.serve(|message| ok(message.sequence));
        }
        peer.send(HELLO);
        let sequence = peer.message().unwrap().sequence;
        peer.send(r#"{"type":"goaway","grace_ms":1000}"#);
        peer.send(&format!(r#"{{"type":"pong","sequence":{sequence}}}"#));
        peer.0.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        tell.send(peer.message().is_none()).unwrap();
    });
    let connection = connect(&stub, reconnecting()).unwrap();
    connection.ping(0).unwrap();
    assert_eq!(connection.send(&JPEG).unwrap(), 1);
    assert_eq!(connection.finish().unwrap().u64("frames"), Some(1));
    assert!(silence.recv().unwrap());
    assert_eq!(codes(&outcome(&connection).0), [(1, "ok")]);
}

#[test]
fn an_end_that_crosses_a_goaway_is_one_since_every_frame_has_its_result() {
    let stub = Stub::new(|_, peer| {
        peer.send(HELLO);
        let frame = peer.message().unwrap();
        assert_eq!(peer.message().unwrap().message_type, 4);
        peer.send(r#"{"type":"goaway","grace_ms":1000}"#);
        peer.send(&ok(frame.sequence));
    });
    for settings in [Settings::default(), reconnecting()] {
        let connection = connect(&stub, settings).unwrap();
        connection.send(&JPEG).unwrap();
        let end = connection.finish().unwrap();
        assert_eq!((end.u64("frames"), end.line.as_str()), (Some(1), ""));
        let (results, error) = outcome(&connection);
        assert!(error.is_none());
        assert_eq!(codes(&results), [(1, "ok")]);
    }
    assert_eq!(stub.connections(), 2);
}

#[test]
fn requests_have_their_answers_and_options_outlast_a_loss() {
    let (tell, bodies) = mpsc::channel();
    let stub = Stub::new(move |number, peer| {
        if number > 0 {
            return peer.serve(|message| ok(message.sequence));
        }
        peer.send(HELLO);
        for answer in ["configured", "error", "configured"] {
            let message = peer.message().unwrap();
            tell.send(String::from_utf8(message.payload).unwrap()).unwrap();
            let sequence = message.sequence;
            peer.send(&format!(
                r#"{{"type":"{answer}","sequence":{sequence},"code":"bad_option","message":"no","fatal":false}}"#
            ));
        }
        peer.message();
    });
    let settings = Settings { options: Some(Options::new().token("secret")), ..reconnecting() };
    let connection = connect(&stub, settings).unwrap();
    let error = connection.configure(&Options::new().level("turbo")).unwrap_err();
    assert!(is_refusal(&error, "bad_option"), "{error:?}");
    connection.configure(&Options::new().level("fast")).unwrap();
    assert_eq!(connection.ping(1).unwrap_err().code(), ErrorCode::ConnectionLost);
    assert_eq!(connection.ping(1).unwrap().u64("sent_us"), Some(2));
    assert_eq!(connection.stats().unwrap().line_type(), "stats");
    connection.finish().unwrap();
    let told: Vec<_> = bodies.try_iter().collect();
    assert_eq!(told, [r#"{"token":"secret"}"#, r#"{"level":"turbo"}"#, r#"{"level":"fast"}"#]);
    let again = connection.lines().filter_map(Result::ok).filter(|line| line.line_type() == "configured").last();
    assert!(again.unwrap().line.contains(r#""options":{"level":"fast"}"#));
}

#[test]
fn a_lost_connection_is_made_again_and_every_frame_has_one_result_in_its_place() {
    let stub = Stub::new(|number, peer| {
        if number > 0 {
            return peer.serve(|message| ok(message.sequence));
        }
        peer.send(HELLO);
        peer.message();
        peer.send(&ok(1));
        // Frame 2 is received and 3 in part; neither is answered.
        peer.message();
        std::io::Read::read_exact(&mut peer.0, &mut [0; 4]).unwrap();
    });
    let connection = connect(&stub, reconnecting()).unwrap();
    let ((results, error), end) = thread::scope(|scope| {
        let sending = scope.spawn(|| {
            let payload = vec![0; 8 << 20];
            for _ in 0..6 {
                connection.send(&Frame::jpeg(&payload)).unwrap();
            }
            connection.finish().unwrap()
        });
        let outcome = outcome(&connection);
        (outcome, sending.join().unwrap())
    });
    assert!(error.is_none(), "{error:?}");
    assert_eq!(results.iter().map(|result| result.sequence).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    // The system's buffers may have held all of frame 3, and then 4 was begun.
    let lost: Vec<_> = results.iter().filter(|result| !result.is_ok()).collect();
    assert!([&[2, 3][..], &[2, 3, 4]].contains(&&*lost.iter().map(|result| result.sequence).collect::<Vec<_>>()));
    assert!(lost.iter().all(|result| result.code.as_deref() == Some("connection_lost") && result.line.is_empty()));
    assert_eq!(end.u64("frames"), Some(5 - lost.len() as u64));
}

#[test]
fn without_a_policy_or_after_finish_a_loss_is_final() {
    for (settings, finishes) in [(Settings::default(), false), (reconnecting(), true)] {
        let stub = Stub::new(move |_, peer: &mut Peer| {
            peer.send(HELLO);
            for _ in 0..if finishes { 3 } else { 2 } {
                peer.message();
            }
            peer.send(&ok(1));
            // An end before the last result is none.
            peer.send(r#"{"type":"end","sequence":1,"frames":1}"#);
        });
        let connection = connect(&stub, settings).unwrap();
        connection.send(&JPEG).unwrap();
        connection.send(&JPEG).unwrap();
        if finishes {
            assert_eq!(connection.finish().unwrap_err().code(), ErrorCode::ConnectionLost);
        }
        let (results, error) = outcome(&connection);
        assert_eq!(codes(&results), [(1, "ok"), (2, "connection_lost")]);
        assert_eq!(error.unwrap().code(), ErrorCode::ConnectionLost);
        assert_eq!(connection.send(&JPEG).unwrap_err().code(), ErrorCode::ConnectionLost);
        assert_eq!(stub.connections(), 1);
    }
}

#[test]
fn a_fatal_error_says_why_even_while_frames_are_on_their_way() {
    let stub = Stub::new(|_, peer| {
        peer.send(HELLO);
        peer.message();
        peer.send(r#"{"type":"error","sequence":1,"code":"shutting_down","message":"going","fatal":true}"#);
    });
    for _ in 0..20 {
        let connection = connect(&stub, Settings::default()).unwrap();
        let payload = vec![0; 1 << 18];
        let error = loop {
            if let Err(error) = connection.send(&Frame::jpeg(&payload)) {
                break error;
            }
        };
        assert!(is_refusal(&error, "shutting_down"), "{error:?}");
        let (results, error) = outcome(&connection);
        assert!(is_refusal(&error.unwrap(), "shutting_down"));
        assert!(!results.is_empty());
    }
}

#[test]
fn a_server_that_turns_the_client_away_is_not_asked_again() {
    for code in ["auth_required", "auth_failed", "message_too_large", "message_too_short"] {
        let stub = Stub::new(move |_, peer| {
            peer.send(HELLO);
            peer.message();
            peer.send(&format!(r#"{{"type":"error","sequence":1,"code":"{code}","message":"no","fatal":true}}"#));
        });
        let connection = connect(&stub, reconnecting()).unwrap();
        connection.send(&JPEG).unwrap();
        let (_, error) = outcome(&connection);
        assert!(is_refusal(&error.unwrap(), code));
        let with_token = Settings { options: Some(Options::new().token("guess")), ..reconnecting() };
        assert!(is_refusal(&connect(&stub, with_token).unwrap_err(), code));
        assert_eq!(stub.connections(), 2);
    }
}

#[test]
fn options_that_the_server_cannot_honour_are_known_when_connecting() {
    let stub = Stub::new(|_, peer| {
        peer.send(HELLO);
        peer.message();
        peer.send(r#"{"type":"error","sequence":1,"code":"unknown_option","message":"no","fatal":false}"#);
        peer.message();
    });
    let settings = Settings { options: Some(Options::new().set("colour", "red")), ..reconnecting() };
    assert!(is_refusal(&connect(&stub, settings).unwrap_err(), "unknown_option"));
}

#[test]
fn what_is_no_server_of_this_protocol_is_named() {
    let code_of = |line: &'static str| {
        let stub = Stub::new(move |_, peer| peer.send(line));
        connect(&stub, reconnecting()).unwrap_err().code()
    };
    assert_eq!(code_of("HTTP/1.1 400 Bad Request\r"), ErrorCode::NotGlyphwire);
    assert_eq!(code_of(r#"{"type":"news"}"#), ErrorCode::NotGlyphwire);
    assert_eq!(code_of(r#"{"type":"hello","protocol":2}"#), ErrorCode::UnsupportedProtocol);

    let silent = Stub::new(|_, peer| drop(peer.message()));
    let hasty = Settings { connect_timeout: Duration::from_millis(50), ..Settings::default() };
    assert_eq!(connect(&silent, hasty).unwrap_err().code(), ErrorCode::TimedOut);

    let closed = Stub::new(|_, _| {});
    let error = connect(&closed, reconnecting()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConnectionLost);
    assert!(error.message().contains("is this the port for frames (7411)"), "{error}");
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = Connection::connect("127.0.0.1", nobody, reconnecting()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::CannotConnect);
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn a_port_that_has_greeted_is_not_asked_about() {
    let stub = Stub::new(|number, peer| {
        if number == 0 {
            peer.send(HELLO);
        }
    });
    let policy =
        ReconnectPolicy { max_attempts: 1, initial_delay: Duration::from_millis(1), ..ReconnectPolicy::default() };
    let connection = connect(&stub, Settings { reconnect: Some(policy), ..Settings::default() }).unwrap();
    let error = outcome(&connection).1.unwrap();
    assert_eq!(error.code(), ErrorCode::ConnectionLost);
    assert!(error.message().contains("closed by the server; the server may have stopped"), "{error}");
}

#[test]
fn a_line_that_is_not_what_it_should_be_ends_the_connection() {
    for line in [
        "{",
        "[]",
        r#"{"text":"no type"}"#,
        r#"{"type":"result","status":"ok"}"#,
        r#"{"type":"result","status":"ok","sequence":-1}"#,
        r#"{"type":"result","sequence":1}"#,
        r#"{"type":"result","status":"ok","sequence":2}"#,
    ] {
        let stub = Stub::new(move |_, peer| {
            peer.send(HELLO);
            peer.message();
            peer.send(line);
            peer.message();
        });
        let connection = connect(&stub, reconnecting()).unwrap();
        connection.send(&JPEG).unwrap();
        let (results, error) = outcome(&connection);
        assert_eq!(error.unwrap().code(), ErrorCode::BadLine, "{line}");
        assert_eq!(codes(&results), [(1, "connection_lost")]);
    }
}

#[test]
fn a_line_above_the_limit_ends_the_connection() {
    let stub = Stub::new(|_, peer| {
        peer.send(HELLO);
        peer.send(&"x".repeat(1001));
        peer.message();
    });
    let connection = connect(&stub, Settings { max_line_bytes: 1000, ..reconnecting() }).unwrap();
    assert_eq!(outcome(&connection).1.unwrap().code(), ErrorCode::LineTooLong);
}

#[test]
fn a_message_above_the_servers_limit_is_not_sent_and_the_connection_lives() {
    let stub = Stub::new(|_, peer| {
        peer.send(&HELLO.replace("67108864", "100"));
        let message = peer.message().unwrap();
        assert_eq!(message.payload.len(), 72);
        peer.send(&ok(1));
        let sequence = peer.message().unwrap().sequence;
        peer.send(&format!(r#"{{"type":"end","sequence":{sequence},"frames":1}}"#));
    });
    let connection = connect(&stub, Settings::default()).unwrap();
    assert_eq!(connection.send(&Frame::jpeg(&[0; 73])).unwrap_err().code(), ErrorCode::MessageTooLarge);
    assert_eq!(connection.send(&Frame::jpeg(&[0; 72])).unwrap(), 1);
    connection.finish().unwrap();
    assert_eq!(codes(&outcome(&connection).0), [(1, "ok")]);
}

#[test]
fn nothing_can_be_asked_of_a_connection_that_was_finished_or_closed() {
    let stub = Stub::new(|_, peer| peer.serve(|message| ok(message.sequence)));
    let finished = connect(&stub, Settings::default()).unwrap();
    finished.finish().unwrap();
    assert_eq!(finished.send(&JPEG).unwrap_err().code(), ErrorCode::Closed);
    assert_eq!(finished.finish().unwrap_err().code(), ErrorCode::Closed);
    let closed = connect(&stub, Settings::default()).unwrap();
    closed.close();
    assert_eq!(closed.ping(0).unwrap_err().code(), ErrorCode::Closed);
    assert_eq!(closed.lines().map(|line| line.unwrap().line_type().to_owned()).collect::<Vec<_>>(), ["hello"]);
}

#[test]
fn closing_ends_a_wait_for_the_next_attempt() {
    let stub = Stub::new(|_, peer| {
        peer.send(HELLO);
        peer.message();
    });
    let hour = Duration::from_secs(3600);
    let patient = ReconnectPolicy { initial_delay: hour, max_delay: hour, ..ReconnectPolicy::default() };
    let connection = connect(&stub, Settings { reconnect: Some(patient), ..Settings::default() }).unwrap();
    connection.send(&JPEG).unwrap();
    let result = connection.results().next().unwrap().unwrap();
    assert_eq!(result.code.as_deref(), Some("connection_lost"));
    thread::scope(|scope| {
        let waiting = scope.spawn(|| connection.send(&JPEG).unwrap_err().code());
        connection.close();
        assert_eq!(waiting.join().unwrap(), ErrorCode::Closed);
    });
}

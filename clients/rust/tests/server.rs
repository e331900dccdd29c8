//! Connections to a real server, where there is one.
#![cfg(feature = "std")]

#[allow(dead_code)]
mod support;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, thread};

use glyphwire::json::Value;
use glyphwire::{Connection, Frame, Header, MessageType, Options, Orientation, ReconnectPolicy, Settings};
use support::{repository, Server};

/// A result's line without what differs from run to run.
fn without_times(line: &str) -> String {
    let mut line = line.to_owned();
    for (start, end) in [("\"timings_us\":{", '}'), ("\"age_ms\":", ',')] {
        if let Some(from) = line.find(start) {
            let to = line[from..].find(end).map_or(line.len() - 1, |to| from + to + 1);
            line.replace_range(from..to, "");
        }
    }
    line
}

/// Options that have every frame read, where the server has a choice.
fn read_every(server: &Server) -> Options {
    let connection = Connection::connect("127.0.0.1", server.port, Settings::default()).unwrap();
    let hello = connection.hello();
    let has_choice = hello.get("features").and_then(Value::as_array).unwrap().contains(&"delivery".into());
    if has_choice {
        Options::new().delivery("every")
    } else {
        Options::new()
    }
}

/// The demo session with these options in place of the `configure` that it begins with.
fn demo_session(options: &Options) -> Vec<u8> {
    let session = fs::read(repository().join("demo/session.gws")).unwrap();
    let own = 4 + u32::from_be_bytes(session[..4].try_into().unwrap()) as usize;
    let body = options.to_string();
    let header = Header::new(MessageType::Configure, 0, body.len()).unwrap().encode();
    [&header, body.as_bytes(), &session[own..]].concat()
}

/// The results of a session that is sent as it is, by a plain socket.
fn plain_results(port: u16, session: Vec<u8>) -> Vec<String> {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let receiving = BufReader::new(socket.try_clone().unwrap());
    let sending = thread::spawn(move || socket.write_all(&session).unwrap());
    let lines = receiving.lines().map(Result::unwrap).filter(|line| line.starts_with(r#"{"type":"result""#)).collect();
    sending.join().unwrap();
    lines
}

#[test]
fn the_demo_session_has_the_results_that_a_plain_socket_gets() {
    let Some(server) = Server::start(0, &[]) else { return };
    let session = Path::new(env!("CARGO_TARGET_TMPDIR")).join("session.gws");
    fs::write(&session, demo_session(&read_every(&server))).unwrap();
    let expected = plain_results(server.port, fs::read(&session).unwrap());
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance-driver");
    assert!(Command::new(&driver).arg("--prepare").status().unwrap().success());
    let output = Command::new(&driver).args(["127.0.0.1", &server.port.to_string()]).arg(session).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().map(without_times).collect();
    assert!(lines.len() > 50);
    assert_eq!(lines, expected.iter().map(|line| without_times(line)).collect::<Vec<_>>());
}

#[test]
fn a_server_that_is_restarted_in_mid_stream_costs_the_frames_it_had_and_no_other() {
    let Some(server) = Server::start(0, &[]) else { return };
    let port = server.port;
    let jpeg = fs::read(repository().join("demo/sign.jpg")).unwrap();
    let settings = Settings {
        options: Some(read_every(&server).characters(false)),
        reconnect: Some(ReconnectPolicy::default()),
        ..Settings::default()
    };
    let connection = Connection::connect("127.0.0.1", port, settings).unwrap();
    for _ in 0..10 {
        connection.send(&Frame::jpeg(&jpeg)).unwrap();
    }
    let mut results: Vec<_> = connection.results().take(5).map(Result::unwrap).collect();
    drop(server);
    let server = thread::scope(|scope| {
        let starting = scope.spawn(|| Server::start(port, &[]));
        scope.spawn(|| {
            for _ in 0..10 {
                connection.send(&Frame::jpeg(&jpeg)).unwrap();
            }
            connection.finish().unwrap();
        });
        results.extend(connection.results().map(Result::unwrap));
        starting.join().unwrap()
    });
    drop(server);
    let sequences: Vec<_> = results.iter().map(|result| result.sequence).collect();
    assert_eq!(sequences, (1..=20).collect::<Vec<_>>());
    let lost: Vec<_> = results.iter().filter_map(|result| result.code.as_deref()).collect();
    assert!(!lost.is_empty() && lost.iter().all(|code| *code == "connection_lost"));
    let last = results.last().unwrap();
    assert!(last.text.contains("Old Ferry Pier") && last.words().all(|word| word.characters.is_empty()));
}

#[test]
fn every_option_is_taken_and_what_it_asks_for_is_told() {
    let Some(server) = Server::start(0, &[]) else { return };
    let options = Options::new()
        .client("the tests")
        .level("fast")
        .recognize(true)
        .characters(false)
        .coordinates("upright")
        .minimum_text_height(0.01)
        .region_of_interest([0.0, 0.0, 1.0, 1.0])
        .upright("auto")
        .languages(&["en"])
        .custom_words(&["Ferry"])
        .candidates(3)
        .delivery("every")
        .deadline_ms(60_000)
        .clock_offset_us(0)
        .temporal(true)
        .refresh_ms(1000)
        .find(&["ferry", r"/\d+-\d+/"]);
    let connection = Connection::connect("127.0.0.1", server.port, Settings::default()).unwrap();
    let configured = connection.configure(&options).unwrap();
    assert!(configured.u64("window").unwrap() >= 1);
    let in_force = configured.get("options").unwrap();
    let Value::Object(asked) = glyphwire::json::parse(options.to_string().as_bytes()).unwrap() else { panic!() };
    for (name, value) in &asked {
        assert_eq!(in_force.get(name), Some(value), "{name}");
    }
    // Its own tag says that it lies; the header says that it does not, and the server finds out.
    let jpeg = fs::read(repository().join("demo/sign.jpg")).unwrap();
    let captured_us = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros() as u64;
    for _ in 0..2 {
        connection.send(&Frame { orientation: Orientation::UP, captured_us, ..Frame::jpeg(&jpeg) }).unwrap();
    }
    connection.finish().unwrap();
    let results: Vec<_> = connection.results().map(Result::unwrap).collect();
    let [first, second] = results.as_slice() else { panic!("{} results", results.len()) };
    assert_eq!(first.matches.iter().map(|found| found.text.as_str()).collect::<Vec<_>>(), ["27-41", "Ferry"]);
    let found = &first.matches[1];
    assert_eq!(first.lines[found.line].words[found.words[0]].text, "Ferry");
    for line in &first.lines {
        assert!(line.scores.as_ref().unwrap().recognition.is_some() && !line.candidates.is_empty());
        assert_eq!(line.state.as_deref(), Some("new"));
    }
    assert_eq!(first.lines[0].script.as_deref(), Some("Latn"));
    assert!(second.reused && second.lines.iter().all(|line| line.state.as_deref() == Some("kept")));
    assert!(second.words().map(|word| word.id).eq(first.words().map(|word| word.id)));
    assert!(first.words().all(|word| word.id.is_some()) && second.lost.is_empty());
    assert_eq!((first.orientation, first.coordinates.as_str(), first.reused), (8, "upright", false));
    assert!(first.age_ms.unwrap() >= 0);
}

#[test]
fn a_token_opens_a_server_that_asks_for_one() {
    let token = Path::new(env!("CARGO_TARGET_TMPDIR")).join("token");
    fs::write(&token, "open sesame\n").unwrap();
    let Some(server) = Server::start(0, &["--token-file", token.to_str().unwrap()]) else { return };
    let connect = |options| {
        let settings = Settings { options: Some(options), ..Settings::default() };
        Connection::connect("127.0.0.1", server.port, settings)
    };
    assert_eq!(connect(Options::new().token("guess")).unwrap_err().wire_code(), Some("auth_failed"));
    assert_eq!(connect(Options::new()).unwrap_err().wire_code(), Some("auth_required"));
    let connection = connect(Options::new().token("open sesame")).unwrap();
    assert_eq!(connection.hello().str("auth"), Some("token"));
    assert_eq!(connection.ping(7).unwrap().u64("captured_us"), Some(7));
    assert_eq!(connection.finish().unwrap().u64("frames"), Some(0));
}

#[test]
fn the_example_of_the_readme_prints_what_stands_in_a_picture() {
    let Some(server) = Server::start(0, &[]) else { return };
    let example = include_str!("../README.md").split("```").nth(1).unwrap().strip_prefix("rust,no_run\n").unwrap();
    let sign = repository().join("demo/sign.jpg");
    let here = example.replace("\"photo.jpg\"", &format!("{sign:?}")).replace(", PORT", &format!(", {}", server.port));
    let here = here.replace(&format!("Settings, {}}}", server.port), "Settings}");
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    fs::create_dir_all(package.join("src")).unwrap();
    fs::write(package.join("src/main.rs"), here).unwrap();
    let manifest = format!(
        "[package]\nname = \"readme\"\nedition = \"2021\"\n[dependencies]\nglyphwire = {{ path = {:?} }}\n[workspace]\n",
        env!("CARGO_MANIFEST_DIR")
    );
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    let output =
        Command::new(env!("CARGO")).args(["run", "--quiet", "--offline"]).current_dir(package).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8(output.stdout).unwrap().contains("WUTONGLI STREET\n27-41\nOld Ferry Pier"));
}

#[test]
fn the_example_that_streams_prints_the_words_of_pictures() {
    let Some(server) = Server::start(0, &[]) else { return };
    let sign = repository().join("demo/sign.jpg");
    let stream = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--offline", "--example", "stream", "--", "--port", &server.port.to_string()])
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.code(), out, err)
    };
    let sign = sign.to_str().unwrap();
    let (code, words, _) = stream(&[sign, sign, sign]);
    assert_eq!(code, Some(0));
    assert_eq!(words.lines().filter(|line| *line == format!("{sign}\t27-41")).count(), 3);
    let (_, json, _) = stream(&["--json", sign]);
    assert!(json.starts_with(r#"{"type":"result""#));
    for (arguments, code, message) in [
        (["Cargo.toml", sign], 1, "FF D8"),
        (["--level=fast", sign], 2, "--level=fast is no option"),
        (["absent.jpg", sign], 1, "absent.jpg"),
        ([sign, "--token"], 2, "--token needs a value"),
    ] {
        let (status, _, error) = stream(&arguments);
        assert_eq!(status, Some(code), "{error}");
        assert!(error.contains(message), "{error}");
    }
}

//! Connections to a real server, where there is one.
#![cfg(feature = "std")]

#[allow(dead_code)]
mod support;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use glyphwire::json::Value;
use glyphwire::{Connection, Frame, Options, Orientation, Settings};
use support::{repository, Server};

#[test]
fn every_option_is_taken_and_what_it_asks_for_is_told() {
    let Some(server) = Server::start(&[]) else { return };
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
        .language_correction(false)
        .damaged("read")
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
    let Some(server) = Server::start(&["--token-file", token.to_str().unwrap()]) else { return };
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

/// What the first example of the README prints of a picture of the repository.
fn example_of_the_readme(server: &Server, picture: &str) -> String {
    let example = include_str!("../README.md").split("```").nth(1).unwrap().strip_prefix("rust,no_run\n").unwrap();
    let path = repository().join(picture);
    let here = example.replace("\"photo.jpg\"", &format!("{path:?}")).replace(", PORT", &format!(", {}", server.port));
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
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_example_of_the_readme_prints_what_stands_in_a_picture_or_why_it_was_not_read() {
    let Some(server) = Server::start(&[]) else { return };
    assert!(example_of_the_readme(&server, "demo/sign.jpg").contains("WUTONGLI STREET\n27-41\nOld Ferry Pier"));
    let reason = example_of_the_readme(&server, "bench/quick/graphics/images/00.png");
    assert!(reason.contains("is a PNG file; send a JPEG"), "{reason}");
}

#[test]
fn the_example_that_streams_prints_the_words_of_pictures() {
    let Some(server) = Server::start(&[]) else { return };
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
    assert_eq!(stream(&["--find", "ferry", sign]).1, format!("{sign}\tFerry\n"));
    assert_eq!(stream(&["--find", "zeppelin", sign]).0, Some(1));
    // The later port counts.
    let (code, _, error) = stream(&["--port", "1", "--no-wait", sign]);
    assert!(code == Some(1) && error.contains("cannot connect"), "{error}");
    let (_, json, _) = stream(&["--json", sign]);
    assert!(json.starts_with(r#"{"type":"result""#));
    for (arguments, code, message) in [
        (["Cargo.toml", sign], 1, "send a JPEG"),
        (["--leval=fast", sign], 2, "--leval is no option"),
        (["absent.jpg", sign], 1, "absent.jpg"),
        ([sign, "--level"], 2, "--level is no option, or lacks its value"),
    ] {
        let (status, _, error) = stream(&arguments);
        assert_eq!(status, Some(code), "{error}");
        assert!(error.contains(message), "{error}");
    }
}

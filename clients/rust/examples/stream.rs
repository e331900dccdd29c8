//! Streams JPEG files to a server and prints the words in each.

use std::process::ExitCode;
use std::{env, fs, thread};

use glyphwire::json::Value;
use glyphwire::{Connection, Frame, FrameResult, Options, ReconnectPolicy, Settings, PORT};

const USAGE: &str = "usage: stream [options] PICTURE.jpg ...

Streams JPEG files to a Glyphwire server and prints the words in each.

  --host NAME      where the server is; localhost by default
  --port NUMBER    7411 by default
  --level LEVEL    \"fast\" or \"accurate\"; the server's own by default
  --token FILE     a file with the secret that the server asks for
  --reconnect      come back when the connection is lost
  --json           print each result as the server sends it, a line of JSON
  --help           show this";

type Failure = Box<dyn std::error::Error + Send + Sync>;

struct Arguments {
    host: String,
    port: u16,
    options: Options,
    reconnect: Option<ReconnectPolicy>,
    json: bool,
    pictures: Vec<String>,
}

impl Arguments {
    /// What the command line says, or what is wrong with it; `None` asks for help.
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Self>, Failure> {
        let mut parsed = Self {
            host: "localhost".into(),
            port: PORT,
            options: Options::new().characters(false),
            reconnect: None,
            json: false,
            pictures: Vec::new(),
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--host" => parsed.host = value()?,
                "--port" => {
                    let port = value()?;
                    parsed.port =
                        port.parse().map_err(|_| format!("--port is {port}; give a number from 1 to 65535"))?;
                }
                "--level" => parsed.options = parsed.options.level(&value()?),
                "--token" => {
                    let file = value()?;
                    let token = fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
                    parsed.options = parsed.options.token(token.trim());
                }
                "--reconnect" => parsed.reconnect = Some(ReconnectPolicy::default()),
                "--json" => parsed.json = true,
                "--help" | "-h" => return Ok(None),
                flag if flag.starts_with('-') => return Err(format!("{flag} is no option").into()),
                _ => parsed.pictures.push(argument),
            }
        }
        if parsed.pictures.is_empty() {
            return Err("no pictures; name at least one JPEG file".into());
        }
        Ok(Some(parsed))
    }
}

/// Connects, and has every frame read.
fn connect(arguments: &Arguments) -> Result<Connection, Failure> {
    let Arguments { host, port, options, reconnect, .. } = arguments;
    let settings = Settings { options: Some(options.clone()), reconnect: *reconnect, ..Settings::default() };
    let connection = Connection::connect(host, *port, settings)?;
    // A server that passes over frames for the sake of newer ones is told that these are files and not a camera's.
    let hello = connection.hello();
    let features = hello.get("features").and_then(Value::as_array).unwrap_or_default();
    if features.contains(&"delivery".into()) {
        connection.configure(&options.clone().delivery("every"))?;
    }
    Ok(connection)
}

/// Sends the pictures, and ends the stream behind the last that could be sent.
fn send(connection: &Connection, pictures: &[String]) -> Result<(), Failure> {
    let sent = pictures.iter().zip(0..).try_for_each(|(picture, sequence)| {
        let jpeg = fs::read(picture).map_err(|error| format!("{picture}: {error}"))?;
        connection.send(&Frame { sequence: Some(sequence), ..Frame::jpeg(&jpeg) })?;
        Ok(())
    });
    let finished = connection.finish();
    sent.and(finished.map(drop).map_err(Failure::from))
}

/// Streams the pictures; whether all of them were read.
fn stream(arguments: &Arguments) -> Result<bool, Failure> {
    let connection = connect(arguments)?;
    let pictures = &arguments.pictures;
    let mut all_read = true;
    thread::scope(|scope| {
        let sending = scope.spawn(|| send(&connection, pictures));
        // What ends the results early is told by who sends, too.
        for (picture, result) in pictures.iter().zip(connection.results().map_while(Result::ok)) {
            all_read &= print(picture, &result, arguments.json);
        }
        sending.join().map_err(|_| "sending panicked")?
    })?;
    Ok(all_read)
}

/// Prints what stands in a picture; whether it was read.
fn print(picture: &str, result: &FrameResult, json: bool) -> bool {
    if !result.is_ok() {
        eprintln!("{picture}: {}", result.message.as_ref().unwrap_or(&result.status));
    } else if json {
        println!("{}", result.line);
    } else {
        for line in &result.lines {
            let words: Vec<_> = line.words.iter().map(|word| word.text.as_str()).collect();
            println!("{picture}\t{}", words.join("\t"));
        }
    }
    result.is_ok()
}

fn main() -> ExitCode {
    let arguments = match Arguments::parse(env::args().skip(1)) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("{error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match stream(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("stream: {error}");
            ExitCode::FAILURE
        }
    }
}

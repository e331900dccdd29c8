//! Streams JPEG files to a server and prints the words in each.

use std::process::ExitCode;
use std::{env, fs};

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

/// Frames that may wait for their result: one that is read, and one to follow it, so that a server which passes over
/// frames that wait for long passes over none.
const IN_FLIGHT: usize = 2;

type Failure = Box<dyn std::error::Error + Send + Sync>;

struct Arguments {
    host: String,
    port: u16,
    settings: Settings,
    json: bool,
    pictures: Vec<String>,
}

impl Arguments {
    /// What the command line says, or what is wrong with it; `None` asks for help.
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Self>, Failure> {
        let mut parsed = Self {
            host: "localhost".into(),
            port: PORT,
            settings: Settings::default(),
            json: false,
            pictures: Vec::new(),
        };
        let mut options = Options::new().characters(false);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--host" => parsed.host = value()?,
                "--port" => {
                    let port = value()?;
                    parsed.port =
                        port.parse().map_err(|_| format!("--port is {port}; give a number from 1 to 65535"))?;
                }
                "--level" => options = options.level(&value()?),
                "--token" => {
                    let file = value()?;
                    let token = fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
                    options = options.token(token.trim());
                }
                "--reconnect" => parsed.settings.reconnect = Some(ReconnectPolicy::default()),
                "--json" => parsed.json = true,
                "--help" | "-h" => return Ok(None),
                flag if flag.starts_with('-') => return Err(format!("{flag} is no option").into()),
                _ => parsed.pictures.push(argument),
            }
        }
        if parsed.pictures.is_empty() {
            return Err("no pictures; name at least one JPEG file".into());
        }
        parsed.settings.options = Some(options);
        Ok(Some(parsed))
    }
}

/// Streams the pictures; whether all of them were read.
fn stream(arguments: Arguments) -> Result<bool, Failure> {
    let Arguments { host, port, settings, json, pictures } = arguments;
    let connection = Connection::connect(&host, port, settings)?;
    let mut all_read = true;
    let mut results = connection.results();
    for sent in 0..pictures.len() + IN_FLIGHT {
        if let Some(picture) = pictures.get(sent) {
            let jpeg = fs::read(picture).map_err(|error| format!("{picture}: {error}"))?;
            connection.send(&Frame { sequence: Some(sent as u64), ..Frame::jpeg(&jpeg) })?;
        }
        let Some(picture) = sent.checked_sub(IN_FLIGHT - 1).and_then(|answered| pictures.get(answered)) else {
            continue;
        };
        let Some(result) = results.next() else { break };
        all_read &= print(picture, &result?, json);
    }
    connection.finish()?;
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
    match stream(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("stream: {error}");
            ExitCode::FAILURE
        }
    }
}

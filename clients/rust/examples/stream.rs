//! Streams JPEG files to a server and prints the words in each.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs, thread};

use glyphwire::json::{self, Value};
use glyphwire::{
    Connection, ErrorCode, Frame, FrameResult, Options, Orientation, ReconnectPolicy, Settings, TextLine, PORT,
};

const USAGE: &str = "usage: stream [options] PICTURE.jpg ...

Sends JPEG files to a Glyphwire server, and prints the words in each: one line
for each line of text, with the picture's name in front and tabs between.

  --host NAME          the server's name or address (default: localhost)
  --port NUMBER        its port (default: 7411)
  --token-file FILE    a file with the token that the server requires;
                       GLYPHWIRE_TOKEN_FILE names one otherwise
  --level LEVEL        fast or accurate (default: the server's)
  --find TEXT          print only matches of this text or /expression/;
                       may be repeated
  --option NAME=VALUE  any other option of configure; may be repeated
  --orientation NUMBER how the camera was held, 1...8 as in EXIF (default: 0,
                       the JPEG's own)
  --no-wait            fail at once if no server answers, instead of waiting
  --json               print the server's lines
  --help               show this

The exit status is 0; 1 if a picture could not be read, the server was lost or
refused, the output could not be written, or --find found nothing; 2 for wrong
usage.";

/// Between two attempts to find a server that is not there yet.
const PAUSE: Duration = Duration::from_secs(1);

type Failure = Box<dyn std::error::Error + Send + Sync>;

struct Arguments {
    host: String,
    port: u16,
    options: Options,
    /// Those that were given by their names.
    others: Vec<(String, Value)>,
    find: Vec<String>,
    orientation: Orientation,
    waits: bool,
    json: bool,
    pictures: Vec<String>,
}

impl Arguments {
    /// What the command line says, or what is wrong with it; `None` asks for help.
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Self>, Failure> {
        let mut parsed = Self {
            host: "localhost".into(),
            port: PORT,
            options: Options::new(),
            others: Vec::new(),
            find: Vec::new(),
            orientation: Orientation::NONE,
            waits: true,
            json: false,
            pictures: Vec::new(),
        };
        if let Ok(file) = env::var("GLYPHWIRE_TOKEN_FILE") {
            parsed.read_token(&file)?;
        }
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--no-wait" => parsed.waits = false,
                "--json" => parsed.json = true,
                "--help" | "-h" => return Ok(None),
                option if option.starts_with('-') => parsed.set(option, arguments.next())?,
                _ => parsed.pictures.push(argument),
            }
        }
        if parsed.pictures.is_empty() {
            return Err("no pictures; name at least one JPEG file".into());
        }
        Ok(Some(parsed))
    }

    /// What the server is told; options that were given by their names win.
    fn configuration(&self, reads_every: bool) -> Options {
        let mut options = self.options.clone();
        if !self.find.is_empty() {
            options = options.set("find", self.find.iter().map(String::as_str).collect::<Value>());
        }
        if !self.json {
            // Words are enough for printing; without the characters a line is a quarter as long.
            options = options.characters(false);
        }
        if reads_every {
            options = options.delivery("every");
        }
        self.others.iter().fold(options, |options, (name, value)| options.set(name, value.clone()))
    }

    fn set(&mut self, option: &str, value: Option<String>) -> Result<(), Failure> {
        let value = value.ok_or(format!("{option} is no option, or lacks its value"))?;
        match option {
            "--host" => self.host = value,
            "--port" => {
                self.port = value.parse().map_err(|_| format!("--port is a number from 1 to 65535, not {value}"))?;
            }
            "--token-file" => self.read_token(&value)?,
            "--level" => self.options = self.options.clone().level(&value),
            "--find" => self.find.push(value),
            "--option" => {
                let pair = value.split_once('=').filter(|(name, _)| !name.is_empty());
                let (name, text) = pair.ok_or(format!("{value} is not NAME=VALUE"))?;
                let value = json::parse(text.as_bytes()).unwrap_or_else(|_| text.into());
                self.others.push((name.into(), value));
            }
            "--orientation" => {
                let number = value.parse().ok().filter(|number| *number <= Orientation::LEFT.0);
                self.orientation = Orientation(number.ok_or(format!("--orientation is 0...8, not {value}"))?);
            }
            _ => return Err(format!("{option} is no option").into()),
        }
        Ok(())
    }

    fn read_token(&mut self, file: &str) -> Result<(), Failure> {
        let token = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        self.options = self.options.clone().token(token.trim());
        Ok(())
    }
}

/// Waits for the server, unless that is not wanted, and has every frame read.
fn connect(arguments: &Arguments) -> Result<Connection, Failure> {
    let Arguments { host, port, waits, .. } = arguments;
    let (options, reconnect) = (Some(arguments.configuration(false)), Some(ReconnectPolicy::default()));
    let settings = Settings { options, reconnect, ..Settings::default() };
    let mut is_told = false;
    let connection = loop {
        match Connection::connect(host, *port, settings.clone()) {
            Ok(connection) => break connection,
            Err(error) if *waits && may_come(error.code()) => {
                if !is_told {
                    eprintln!("stream: waiting for the server: {error}");
                }
                is_told = true;
                thread::sleep(PAUSE);
            }
            Err(error) => return Err(error.into()),
        }
    };
    // A server that passes over frames for the sake of newer ones is told that these are files and not a camera's.
    let hello = connection.hello();
    let features = hello.get("features").and_then(Value::as_array).unwrap_or_default();
    if features.contains(&"delivery".into()) {
        connection.configure(&arguments.configuration(true))?;
    }
    Ok(connection)
}

/// Whether a server may be there later.
fn may_come(code: ErrorCode) -> bool {
    matches!(code, ErrorCode::CannotConnect | ErrorCode::TimedOut | ErrorCode::ConnectionLost)
}

/// Sends the pictures, and ends the stream behind the last that could be sent.
fn send(connection: &Connection, arguments: &Arguments) -> Result<(), Failure> {
    let orientation = arguments.orientation;
    let sent = arguments.pictures.iter().zip(0..).try_for_each(|(picture, sequence)| {
        let jpeg = fs::read(picture).map_err(|error| format!("{picture}: {error}"))?;
        connection.send(&Frame { sequence: Some(sequence), orientation, ..Frame::jpeg(&jpeg) })?;
        Ok(())
    });
    let finished = connection.finish();
    sent.and(finished.map(drop).map_err(Failure::from))
}

/// Streams the pictures; whether all of them were read, and what was sought was found.
fn stream(arguments: &Arguments) -> Result<bool, Failure> {
    let connection = connect(arguments)?;
    thread::scope(|scope| {
        let sending = scope.spawn(|| send(&connection, arguments));
        let printed = print_all(&connection, arguments);
        if printed.is_err() {
            // Ends who sends, too.
            connection.close();
        }
        let sent = sending.join().map_err(|_| "sending panicked")?;
        let is_good = printed?;
        sent.map(|()| is_good)
    })
}

/// Prints what stands in the pictures; whether all of them were read, and what was sought was found.
fn print_all(connection: &Connection, arguments: &Arguments) -> Result<bool, Failure> {
    let (mut all_read, mut found) = (true, 0);
    // What ends the results early is told by who sends, too.
    for (picture, result) in arguments.pictures.iter().zip(connection.results().map_while(Result::ok)) {
        show(&rows(picture, &result, arguments))?;
        if !result.is_ok() {
            eprintln!("{picture}: {}", result.message.as_ref().unwrap_or(&result.status));
        }
        all_read &= result.is_ok();
        found += result.matches.len();
    }
    Ok(all_read && (found > 0 || arguments.find.is_empty()))
}

/// What stands in a picture.
fn rows(picture: &str, result: &FrameResult, arguments: &Arguments) -> Vec<String> {
    if arguments.json {
        let is_lost = result.line.is_empty();
        return if is_lost { Vec::new() } else { vec![result.line.clone()] };
    }
    if !arguments.find.is_empty() {
        return result.matches.iter().map(|found| format!("{picture}\t{}", found.text)).collect();
    }
    let words = |line: &TextLine| line.words.iter().map(|word| format!("\t{}", word.text)).collect::<String>();
    result.lines.iter().map(|line| format!("{picture}{}", words(line))).collect()
}

/// Prints rows, at once.
fn show(rows: &[String]) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let written = rows.iter().try_for_each(|row| writeln!(output, "{row}")).and_then(|()| output.flush());
    written.map_err(|error| format!("the output cannot be written: {error}").into())
}

fn run(arguments: Option<Arguments>) -> Result<bool, Failure> {
    match arguments {
        Some(arguments) => stream(&arguments),
        None => show(&[USAGE.into()]).map(|()| true),
    }
}

fn main() -> ExitCode {
    let arguments = match Arguments::parse(env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("stream: {error}; --help lists the options");
            return ExitCode::from(2);
        }
    };
    match run(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("stream: {error}");
            ExitCode::FAILURE
        }
    }
}

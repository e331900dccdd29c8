//! Streams JPEG files to a server and prints the words in each.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
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
    token_file: Option<PathBuf>,
    pictures: Vec<PathBuf>,
}

impl Arguments {
    /// What the command line says, or what is wrong with it; `None` asks for help.
    fn parse(mut arguments: impl Iterator<Item = OsString>) -> Result<Option<Self>, Failure> {
        let mut parsed = Self {
            host: "localhost".into(),
            port: PORT,
            options: Options::new(),
            others: Vec::new(),
            find: Vec::new(),
            orientation: Orientation::NONE,
            waits: true,
            json: false,
            token_file: env::var_os("GLYPHWIRE_TOKEN_FILE").filter(|file| !file.is_empty()).map(PathBuf::from),
            pictures: Vec::new(),
        };
        while let Some(argument) = arguments.next() {
            if !argument.as_encoded_bytes().starts_with(b"-") || argument == "-" {
                parsed.pictures.push(argument.into());
                continue;
            }
            match text(&argument)? {
                "--" => parsed.pictures.extend(arguments.by_ref().map(PathBuf::from)),
                "--no-wait" => parsed.waits = false,
                "--json" => parsed.json = true,
                "--help" | "-h" => return Ok(None),
                option => match option.split_once('=') {
                    Some((name, value)) => parsed.set(name, Some(value.into()))?,
                    None => parsed.set(option, arguments.next())?,
                },
            }
        }
        parsed.complete()?;
        Ok(Some(parsed))
    }

    /// Checks what depends on more than one option, and reads the token.
    fn complete(&mut self) -> Result<(), Failure> {
        if self.pictures.is_empty() {
            return Err("no pictures; name at least one JPEG file".into());
        }
        let is_without_words =
            self.others.iter().any(|(name, value)| name == "recognize" && *value == Value::from(false));
        if is_without_words && !self.json {
            return Err("with recognize=false there are no words to print; add --json".into());
        }
        if let Some(file) = self.token_file.take() {
            self.options = self.options.clone().token(&token(&file)?);
        }
        Ok(())
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

    fn set(&mut self, option: &str, value: Option<OsString>) -> Result<(), Failure> {
        let value = value.ok_or(format!("{option} is no option, or lacks its value"))?;
        if option == "--token-file" {
            // An empty name, as of a variable that is not set, must not stand for no file.
            if value.is_empty() {
                return Err(format!("{option} names no file").into());
            }
            self.token_file = Some(value.into());
            return Ok(());
        }
        let value = text(&value)?;
        match option {
            "--host" => self.host = without_brackets(value).into(),
            "--port" => {
                let port = value.parse().ok().filter(|port| *port > 0);
                self.port = port.ok_or(format!("--port is a number from 1 to 65535, not {value}"))?;
            }
            "--level" => self.options = self.options.clone().level(value),
            "--find" => self.find.push(value.into()),
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
}

/// What is given as a text; only names of files may be other bytes.
fn text(argument: &OsStr) -> Result<&str, Failure> {
    argument.to_str().ok_or_else(|| format!("{} is not UTF-8", argument.to_string_lossy()).into())
}

/// An address of IPv6 without the brackets that it has in a URL.
fn without_brackets(host: &str) -> &str {
    host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host)
}

/// The token in a file; of several, in JSON as a server takes them, the first.
fn token(file: &Path) -> Result<String, Failure> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
    let only = text.trim();
    let token = if only.starts_with('{') { first_token(only) } else { Some(only.to_owned()) };
    token.filter(|token| !token.is_empty()).ok_or_else(|| format!("there is no token in {name}").into())
}

fn first_token(file: &str) -> Option<String> {
    let file = json::parse(file.as_bytes()).ok()?;
    let first = file.get("tokens")?.as_array()?.first()?;
    first.get("token")?.as_str().map(str::to_owned)
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

/// Sends what can be opened, and ends the stream behind the last picture that could be sent; whether all were opened.
fn send(connection: &Connection, arguments: &Arguments) -> Result<bool, Failure> {
    let orientation = arguments.orientation;
    let mut all_opened = true;
    let sent = arguments.pictures.iter().zip(0..).try_for_each(|(picture, sequence)| {
        match fs::read(picture) {
            Ok(jpeg) => {
                connection.send(&Frame { sequence: Some(sequence), orientation, ..Frame::jpeg(&jpeg) })?;
            }
            Err(error) => {
                eprintln!("stream: {}: {error}", picture.display());
                all_opened = false;
            }
        }
        Ok(())
    });
    let finished = connection.finish();
    sent.and(finished.map(|_| all_opened).map_err(Failure::from))
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
        sent.map(|all_opened| all_opened && is_good)
    })
}

/// Prints what stands in the pictures; whether all of them were read, and what was sought was found.
fn print_all(connection: &Connection, arguments: &Arguments) -> Result<bool, Failure> {
    let (mut all_read, mut found) = (true, 0);
    // What ends the results early is told by who sends, too.
    for result in connection.results().map_while(Result::ok) {
        let picture = arguments.pictures[result.sequence as usize].as_os_str().as_encoded_bytes();
        if arguments.json {
            show(&[line(&result).as_bytes()])?;
        } else {
            let rows: Vec<_> =
                texts(&result, arguments).iter().map(|text| [picture, b"\t", text.as_bytes()].concat()).collect();
            show(&rows)?;
        }
        if !result.is_ok() {
            eprintln!("{}: {}", String::from_utf8_lossy(picture), reason(&result));
        }
        all_read &= result.is_ok();
        found += result.matches.len() + result.changes.iter().filter(|change| change.pattern.is_some()).count();
    }
    Ok(all_read && (found > 0 || arguments.find.is_empty()))
}

/// Why a picture was not read.
fn reason(result: &FrameResult) -> String {
    match (&result.message, &result.code) {
        (Some(message), Some(code)) => format!("{message} ({code})"),
        _ => result.status.clone(),
    }
}

/// The line of a result; that of a lost frame, which no server has sent, has the members of an error.
fn line(result: &FrameResult) -> String {
    if !result.line.is_empty() {
        return result.line.clone();
    }
    let text = |text: &Option<String>| text.as_deref().map_or(Value::Null, Value::from);
    let members = [
        ("type", "result".into()),
        ("sequence", Value::Number(result.sequence.to_string())),
        ("captured_us", Value::Number(result.captured_us.to_string())),
        ("status", result.status.as_str().into()),
        ("code", text(&result.code)),
        ("message", text(&result.message)),
    ];
    Value::Object(members.map(|(name, value)| (name.into(), value)).into()).to_string()
}

/// What stands in a picture: what was sought, or the lines of text with tabs between words; of changes, what has come.
fn texts(result: &FrameResult, arguments: &Arguments) -> Vec<String> {
    let come = result.changes.iter().filter(|change| change.r#type != "lost").map(|change| &change.text);
    if !arguments.find.is_empty() {
        return result.matches.iter().map(|found| &found.text).chain(come).cloned().collect();
    }
    let words = |line: &TextLine| line.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join("\t");
    result.lines.iter().map(words).chain(come.map(|text| text.replace(' ', "\t"))).collect()
}

/// Prints rows, at once.
fn show(rows: &[impl AsRef<[u8]>]) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let mut write = |row: &[u8]| output.write_all(row).and_then(|()| output.write_all(b"\n"));
    let written = rows.iter().try_for_each(|row| write(row.as_ref())).and_then(|()| output.flush());
    written.map_err(|error| format!("the output cannot be written: {error}").into())
}

fn run(arguments: Option<Arguments>) -> Result<bool, Failure> {
    match arguments {
        Some(arguments) => stream(&arguments),
        None => show(&[USAGE]).map(|()| true),
    }
}

fn main() -> ExitCode {
    let arguments = match Arguments::parse(env::args_os().skip(1)) {
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

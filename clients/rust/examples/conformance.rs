//! Plays a session through the client and prints what comes back; see ../../conformance/README.md.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs, io, thread};

use glyphwire::{Connection, Error, Format, Frame, FrameResult, Options, Orientation, ReconnectPolicy, Settings};

const FRAME: u8 = 1;
const CONFIGURE: u8 = 2;
const PING: u8 = 3;
const END: u8 = 4;
const STATS: u8 = 5;

const USAGE: &str =
    "usage: conformance-driver HOST PORT SESSION.gws [--reconnect] [--words] [--connect-timeout SECONDS] \
     [--answer-timeout SECONDS] [--ping-interval SECONDS] [--pause SECONDS] [--finish-first]";

type Failure = Box<dyn std::error::Error + Send + Sync>;

struct Arguments {
    host: String,
    port: u16,
    session: String,
    words: bool,
    pause: Duration,
    finish_first: bool,
    settings: Settings,
}

impl Arguments {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Option<Self> {
        let mut names = Vec::new();
        let (mut words, mut finish_first) = (false, false);
        let mut pause = Duration::ZERO;
        let mut settings = Settings::default();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--reconnect" => settings.reconnect = Some(ReconnectPolicy::default()),
                "--words" => words = true,
                "--finish-first" => finish_first = true,
                "--connect-timeout" => settings.connect_timeout = seconds(arguments.next())?,
                "--answer-timeout" => settings.answer_timeout = seconds(arguments.next())?,
                "--ping-interval" => settings.ping_interval = Some(seconds(arguments.next())?),
                "--pause" => pause = seconds(arguments.next())?,
                flag if flag.starts_with('-') => return None,
                _ => names.push(argument),
            }
        }
        let [host, port, session] = <[String; 3]>::try_from(names).ok()?;
        Some(Self { host, port: port.parse().ok()?, session, words, pause, finish_first, settings })
    }
}

fn seconds(text: Option<String>) -> Option<Duration> {
    Duration::try_from_secs_f64(text?.parse().ok()?).ok()
}

/// A message of a session.
struct Message<'a> {
    header: &'a [u8],
    payload: &'a [u8],
}

impl<'a> Message<'a> {
    /// The messages of a session, as far as they are whole.
    fn all(mut session: &'a [u8]) -> Vec<Self> {
        let mut messages = Vec::new();
        while let Some((length, _)) = session.split_first_chunk() {
            let Some((message, rest)) = session.split_at_checked(4 + u32::from_be_bytes(*length) as usize) else {
                break;
            };
            let Some((header, payload)) = message.split_at_checked(glyphwire::HEADER_BYTES) else { break };
            messages.push(Self { header, payload });
            session = rest;
        }
        messages
    }

    fn message_type(&self) -> u8 {
        self.header[4]
    }

    fn number(&self, offset: usize, bytes: usize) -> u64 {
        self.header[offset..offset + bytes].iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
    }

    fn options(&self) -> io::Result<Options> {
        if self.payload.is_empty() {
            return Ok(Options::new());
        }
        Options::from_json(self.payload).map_err(io::Error::other)
    }

    fn frame(&self) -> Frame<'a> {
        Frame {
            format: Format(self.header[5]),
            orientation: Orientation(self.header[6]),
            sequence: Some(self.number(8, 8)),
            captured_us: self.number(16, 8),
            width: self.number(24, 2) as u16,
            height: self.number(26, 2) as u16,
            bytes_per_row: self.number(28, 4) as u32,
            ..Frame::jpeg(self.payload)
        }
    }
}

/// Sends the messages and ends the stream, also when one of them fails.
fn play(connection: &Connection, messages: &[Message]) -> Result<(), Failure> {
    let outcome = messages.iter().take_while(|message| message.message_type() != END).try_for_each(|message| {
        match message.message_type() {
            FRAME => connection.send(&message.frame()).map(drop)?,
            CONFIGURE => connection.configure(&message.options()?).map(drop)?,
            PING => connection.ping(message.number(16, 8)).map(drop)?,
            STATS => connection.stats().map(drop)?,
            _ => {}
        }
        Ok(())
    });
    let finished = connection.finish();
    outcome.and(finished.map(drop).map_err(Failure::from))
}

fn print(result: &FrameResult, words: bool) -> io::Result<()> {
    let mut output = io::stdout().lock();
    let (sequence, status) = (result.sequence, &result.status);
    let code = result.code.as_deref().unwrap_or_default();
    if words {
        write!(output, "{sequence}\t{status}\t{code}")?;
        for word in result.words() {
            write!(output, "\t{}", word.text)?;
        }
        writeln!(output)?;
    } else if result.line.is_empty() {
        let captured_us = result.captured_us;
        writeln!(
            output,
            "{{\"type\":\"result\",\"sequence\":{sequence},\"captured_us\":{captured_us},\"status\":\"{status}\",\
             \"code\":\"{code}\",\"message\":\"the connection was lost\"}}"
        )?;
    } else {
        writeln!(output, "{}", result.line)?;
    }
    output.flush()
}

fn run(arguments: Arguments) -> Result<(), Failure> {
    let session = fs::read(&arguments.session)?;
    let mut messages = Message::all(&session);
    let mut settings = arguments.settings;
    if messages.first().is_some_and(|first| first.message_type() == CONFIGURE) {
        settings.options = Some(messages.remove(0).options()?);
    }
    let connection = Connection::connect(&arguments.host, arguments.port, settings)?;
    thread::scope(|scope| {
        let playing = scope.spawn(|| {
            thread::sleep(arguments.pause);
            play(&connection, &messages)
        });
        while arguments.finish_first && !playing.is_finished() {
            thread::sleep(Duration::from_millis(1));
        }
        for result in connection.results() {
            // What ends the results is told by who plays, too.
            let Ok(result) = result else { break };
            print(&result, arguments.words)?;
        }
        playing.join().map_err(|_| "the client panicked")?
    })
}

fn main() -> ExitCode {
    let Some(arguments) = Arguments::parse(env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let Err(error) = run(arguments) else { return ExitCode::SUCCESS };
    match error.downcast_ref::<Error>() {
        Some(error) => {
            let wire_code = error.wire_code().map(|code| format!(" {code}")).unwrap_or_default();
            eprintln!("client-error: {}{wire_code}: {error}", error.code());
        }
        None => eprintln!("{error}"),
    }
    ExitCode::FAILURE
}

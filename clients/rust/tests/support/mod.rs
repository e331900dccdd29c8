//! A server with canned answers, and a real one.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::{env, thread};

pub const HELLO: &str = concat!(
    r#"{"type":"hello","server":"glyphwire","version":"0","protocol":1,"auth":"none","#,
    r#""limits":{"max_message_bytes":67108864},"levels":["fast"],"features":[]}"#
);

pub fn ok(sequence: u64) -> String {
    format!(r#"{{"type":"result","sequence":{sequence},"captured_us":0,"status":"ok","text":"","lines":[]}}"#)
}

/// A message as it came.
pub struct Message {
    pub message_type: u8,
    pub sequence: u64,
    pub payload: Vec<u8>,
}

/// One connection, from the server's side. What cannot be sent or received any more is of no interest here.
pub struct Peer(pub TcpStream);

impl Peer {
    pub fn send(&mut self, line: &str) {
        let _ = self.0.write_all(format!("{line}\n").as_bytes());
    }

    /// The next message, `None` behind the last.
    pub fn message(&mut self) -> Option<Message> {
        let mut header = [0; 32];
        self.0.read_exact(&mut header).ok()?;
        let length = u32::from_be_bytes(header[..4].try_into().unwrap()) as usize;
        let mut payload = vec![0; length - 28];
        self.0.read_exact(&mut payload).ok()?;
        let sequence = u64::from_be_bytes(header[8..16].try_into().unwrap());
        Some(Message { message_type: header[4], sequence, payload })
    }

    /// Answers every message until the client has ended the stream.
    pub fn serve(&mut self, result: impl Fn(&Message) -> String) {
        self.send(HELLO);
        let mut frames = 0;
        while let Some(message) = self.message() {
            let sequence = message.sequence;
            match message.message_type {
                1 => {
                    frames += 1;
                    self.send(&result(&message));
                }
                2 => {
                    let options = String::from_utf8_lossy(&message.payload);
                    self.send(&format!(r#"{{"type":"configured","sequence":{sequence},"options":{options}}}"#));
                }
                3 => self.send(&format!(r#"{{"type":"pong","sequence":{sequence},"received_us":1,"sent_us":2}}"#)),
                4 => {
                    self.send(&format!(r#"{{"type":"end","sequence":{sequence},"frames":{frames}}}"#));
                    return self.end();
                }
                _ => self.send(&format!(r#"{{"type":"stats","sequence":{sequence}}}"#)),
            }
        }
    }

    pub fn end(&mut self) {
        let _ = self.0.shutdown(Shutdown::Write);
    }
}

/// A server on a free port; its thread ends with the process.
pub struct Stub {
    pub port: u16,
    connections: Arc<AtomicUsize>,
}

impl Stub {
    /// Plays `script` to each connection, which it tells the number of, from 0.
    pub fn new(script: impl Fn(usize, &mut Peer) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&connections);
        thread::spawn(move || {
            for socket in listener.incoming() {
                script(count.fetch_add(1, Ordering::SeqCst), &mut Peer(socket.unwrap()));
            }
        });
        Self { port, connections }
    }

    /// How many connections there were.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().into()
}

/// A real server that runs until this is dropped.
pub struct Server {
    process: Child,
    pub port: u16,
}

impl Server {
    /// `None` where there is no program for it, which is said.
    pub fn start(options: &[&str]) -> Option<Self> {
        let built = repository().join(".build/release/glyphwire");
        let program = env::var_os("GLYPHWIRE_PROGRAM").map_or(built, PathBuf::from);
        if !program.exists() {
            eprintln!("skipped: no server: build one with `make build`, or name one in GLYPHWIRE_PROGRAM");
            return None;
        }
        let mut process = Command::new(program)
            .args(["serve", "--log-level", "warning", "--port", "0"])
            .args(options)
            .current_dir(repository())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut ready).unwrap();
        let port = ready.split(':').nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
        Some(Self { process, port: port.expect("the server tells its port") })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

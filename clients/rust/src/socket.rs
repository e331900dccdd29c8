//! Sockets: how they are connected, and how messages are written to them.

use std::io::{self, IoSlice, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// How much of a payload is written at a time: slow networks take it well within `answer_timeout`.
const WRITE_BYTES: usize = 64 << 10;

/// Connects to the first address of the host that accepts.
///
/// Each gets its share of the time, so that one which is not reachable leaves some to the others.
pub(crate) fn connect(host: &str, port: u16, deadline: Instant) -> io::Result<TcpStream> {
    connect_to(&(host, port).to_socket_addrs()?.collect::<Vec<_>>(), deadline, TcpStream::connect_timeout)
}

fn connect_to<S>(
    addresses: &[SocketAddr],
    deadline: Instant,
    connect: impl Fn(&SocketAddr, Duration) -> io::Result<S>,
) -> io::Result<S> {
    let mut failure = io::Error::new(io::ErrorKind::NotFound, "no address for the host");
    for (address, left) in addresses.iter().zip((1..=addresses.len() as u32).rev()) {
        match connect(address, remaining(deadline)? / left) {
            Ok(socket) => return Ok(socket),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// Writes a whole message, and calls `moved` whenever a part of it, but not yet all, was taken.
pub(crate) fn write_message(
    mut socket: impl Write,
    mut header: &[u8],
    mut payload: &[u8],
    mut moved: impl FnMut(),
) -> io::Result<()> {
    while !header.is_empty() || !payload.is_empty() {
        let part = &payload[..payload.len().min(WRITE_BYTES)];
        match socket.write_vectored(&[IoSlice::new(header), IoSlice::new(part)]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                let of_header = count.min(header.len());
                header = &header[of_header..];
                payload = &payload[count - of_header..];
                if !payload.is_empty() {
                    moved();
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

pub(crate) fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

/// The time that is left; an error where there is none.
pub(crate) fn remaining(deadline: Instant) -> io::Result<Duration> {
    let remaining = deadline.saturating_duration_since(Instant::now());
    match remaining.is_zero() {
        true => Err(io::ErrorKind::TimedOut.into()),
        false => Ok(remaining),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_does_not_answer_leaves_time_to_the_others() {
        let addresses = ["[::1]:1", "127.0.0.1:1"].map(|address| address.parse().unwrap());
        let whole = Duration::from_secs(10);
        let connected = connect_to(&addresses, Instant::now() + whole, |address, share| match address.is_ipv6() {
            true if share <= whole / 2 => Err(io::ErrorKind::TimedOut.into()),
            true => panic!("{share:?} for the first of two addresses"),
            false => Ok(share > whole / 2),
        });
        assert!(connected.unwrap());
    }

    #[test]
    fn each_part_that_is_taken_is_told() {
        let (mut written, mut parts) = (Vec::new(), 0);
        write_message(&mut written, &[1; 32], &[2; 3 * WRITE_BYTES + 1], || parts += 1).unwrap();
        assert_eq!((written.len(), parts), (32 + 3 * WRITE_BYTES + 1, 3));
    }
}

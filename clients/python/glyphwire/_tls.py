"""TLS for a socket that one thread reads and another writes."""

from __future__ import annotations

import selectors
import socket
import ssl
import threading

#: Seconds that a socket may wait at once, eleven days: systems count them in milliseconds of 31 bits.
LONGEST_TIMEOUT = 1e6


class SecureSocket:
    """A socket with TLS around it.

    ``ssl.SSLSocket`` must not be read and written at the same time; here the two meet only in memory, for as long as it
    takes to encrypt or decrypt what is there. Reading never waits for what is being sent: a server may take no more
    until its answers are read.
    """

    def __init__(self, plain: socket.socket, context: ssl.SSLContext, host: str) -> None:
        #: The socket itself, which carries what is encrypted.
        self.plain = plain
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=host)
        #: Held while bytes are encrypted or decrypted.
        self._lock = threading.Lock()
        #: Held while encrypted bytes are sent, so that they keep their order.
        self._sending = threading.Lock()
        while True:
            try:
                self._tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                self.plain.sendall(self._outgoing.read())
                self._receive()
        self.plain.sendall(self._outgoing.read())

    def recv(self, size: int) -> bytes:
        while True:
            data = self.recv_some(size)
            if data is not None:
                return data

    def recv_some(self, size: int) -> bytes | None:
        """Bytes of the stream after at most one read from the socket, None where that brought none."""
        data = self._decrypted(size)
        if data is None:
            self._send_pending()
            self._receive()
            data = self._decrypted(size)
        return data

    def _decrypted(self, size: int) -> bytes | None:
        with self._lock:
            try:
                return self._tls.read(size)
            except ssl.SSLWantReadError:
                return None
            except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
                return b""

    def sendall(self, data: bytes | bytearray | memoryview) -> None:
        view = memoryview(data).cast("B")
        with self._sending:
            for start in range(0, len(view), 1 << 18):
                with self._lock:
                    self._tls.write(view[start : start + (1 << 18)])
                    pending = self._outgoing.read()
                self.plain.sendall(pending)
        # Reading has left to this turn what TLS had to say meanwhile.
        self._send_pending()

    def readable(self, seconds: float) -> bool:
        """Whether there are bytes of TLS to read within some seconds; they need not hold any of the stream."""
        with self._lock:
            if self._tls.pending() or self._incoming.pending or self._incoming.eof:
                return True
        return readable(self.plain, seconds)

    def settimeout(self, seconds: float | None) -> None:
        self.plain.settimeout(seconds)

    def setsockopt(self, *arguments: int) -> None:
        self.plain.setsockopt(*arguments)

    def shutdown(self, how: int) -> None:
        self.plain.shutdown(how)

    def close(self) -> None:
        self.plain.close()

    def _send_pending(self) -> None:
        """Sends what TLS itself has to say, such as new keys, unless it has to wait: then it goes with what is next."""
        with self._lock:
            has_pending = self._outgoing.pending > 0
        if not has_pending or not self._sending.acquire(blocking=False):
            return
        try:
            if _is_ready(self.plain, selectors.EVENT_WRITE, 0):
                with self._lock:
                    pending = self._outgoing.read()
                self.plain.sendall(pending)
        except (OSError, ValueError):
            pass  # the socket has failed, or was closed meanwhile; reading finds out why
        finally:
            self._sending.release()

    def _receive(self) -> None:
        data = self.plain.recv(1 << 16)
        with self._lock:
            if data:
                self._incoming.write(data)
            else:
                self._incoming.write_eof()


def readable(plain: socket.socket | SecureSocket, seconds: float) -> bool:
    """Whether a read would return within some seconds, be it the end; waits for that long at most."""
    if isinstance(plain, SecureSocket):
        return plain.readable(seconds)
    return _is_ready(plain, selectors.EVENT_READ, seconds)


def writable(plain: socket.socket | SecureSocket) -> bool:
    """Whether a few bytes can be sent without waiting."""
    return _is_ready(plain.plain if isinstance(plain, SecureSocket) else plain, selectors.EVENT_WRITE, 0)


def _is_ready(plain: socket.socket, event: int, seconds: float) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(plain, event)
        return bool(selector.select(min(seconds, LONGEST_TIMEOUT)))


def handshake_advice(error: Exception) -> str | None:
    """What is wrong with TLS, and what to do, where another attempt would fail the same way; None for other errors."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"its certificate is refused ({error.verify_message}); trust the certificate or its authority "
            "(--tls-ca FILE), and check that the host name is in it"
        )
    if isinstance(error, ssl.SSLError) and not isinstance(error, (ssl.SSLEOFError, ssl.SSLZeroReturnError)):
        reason = (error.reason or str(error)).lower().replace("_", " ")
        return f"TLS fails ({reason}); check that the server speaks TLS, and whether it requires a client certificate"
    return None


def context(tls: bool | ssl.SSLContext) -> ssl.SSLContext | None:
    """What a caller's ``tls`` stands for."""
    if isinstance(tls, ssl.SSLContext):
        return tls
    return ssl.create_default_context() if tls else None

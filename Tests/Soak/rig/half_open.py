"""Half-open connections: the client's host is gone without a word, and the server's side is left."""

import asyncio
import contextlib
import json
import os
import pathlib
import socket
import time

from .frames import CONFIGURE, message

#: What the client was doing when its host went away.
KINDS = ("idle", "in the middle of a message", "with lines on their way")


class HalfOpen:
    """A connection from an address of its own, which the link cuts off."""

    def __init__(self, kind, address, connection, pid, is_proxied):
        self.kind = kind
        self.address = address
        self.is_proxied = is_proxied
        self._socket = connection
        self._pid = pid
        self._inode = _inode(*connection.getsockname())
        self._gone_at = None

    @classmethod
    async def open(cls, kind, namespace, address, target, pid, picture, is_proxied):
        """Connects from `address`, within the namespace, to a program with a process id, and does what `kind` says.

        Servers here expect a PROXY header, which `is_proxied` leaves to the proxy.
        """
        loop = asyncio.get_running_loop()
        connection = namespace.call(socket.socket)
        connection.setblocking(False)
        connection.bind((address, 0))
        await asyncio.wait_for(loop.sock_connect(connection, target), 30)
        if not is_proxied:
            await loop.sock_sendall(connection, preamble(connection.getsockname(), target))
        lines = _Lines(connection)
        await loop.sock_sendall(connection, message(CONFIGURE, json.dumps({"delivery": "every"}).encode()))
        await lines.take(2)
        if kind == "in the middle of a message":
            whole = picture.message(1)
            await loop.sock_sendall(connection, whole[: len(whole) // 2])
        elif kind == "with lines on their way":
            await loop.sock_sendall(connection, b"".join(picture.message(sequence) for sequence in range(1, 9)))
            await lines.take(1)
        return cls(kind, address, connection, pid, is_proxied)

    def cut_off(self, link):
        """The host of the client disappears: not even the end of its connection is heard of."""
        link.cut_off(self.address)
        self._gone_at = time.monotonic()
        self._socket.close()

    async def freed(self, within):
        """The seconds until the program has closed its side; None if it has not in time."""
        while self._is_held():
            if time.monotonic() > self._gone_at + within:
                return None
            await asyncio.sleep(0.1)
        return time.monotonic() - self._gone_at

    def _is_held(self):
        """Whether the program has a descriptor of the connection."""
        for descriptor in pathlib.Path(f"/proc/{self._pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):
                if os.readlink(descriptor) == f"socket:[{self._inode}]":
                    return True
        return False


class _Lines:
    """Lines from a socket that is read by hand."""

    def __init__(self, connection):
        self._connection = connection
        self._buffer = b""

    async def take(self, count):
        """Waits for more lines, each of which must be no error."""
        for _ in range(count):
            while b"\n" not in self._buffer:
                data = await asyncio.wait_for(asyncio.get_running_loop().sock_recv(self._connection, 1 << 16), 60)
                if not data:
                    raise ConnectionError("a connection that was to be cut off is closed already")
                self._buffer += data
            line, _, self._buffer = self._buffer.partition(b"\n")
            if json.loads(line)["type"] == "error":
                raise ConnectionError(f"refused: {line!r}")


def preamble(source, target):
    """The PROXY header of a connection; see the specification of HAProxy."""
    return f"PROXY TCP4 {source[0]} {target[0]} {source[1]} {target[1]}\r\n".encode()


def _inode(address, port):
    """The socket of this network namespace whose peer is at an address."""
    peer = f"{int.from_bytes(socket.inet_aton(address), 'little'):08X}:{port:04X}"
    with open("/proc/net/tcp") as file:
        for row in map(str.split, file):
            if row[2] == peer:
                return int(row[9])
    raise ConnectionError(f"no connection from {address}:{port}")

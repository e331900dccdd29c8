"""HAProxy as deploy/haproxy.cfg has it, in front of servers of this machine."""

import asyncio
import contextlib
import os
import re
import signal
import socket
import subprocess
import time

from .server import ROOT


def free_ports(count):
    """Ports that nobody listens on."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


async def wait(what, condition, state, seconds=120):
    """Waits until something has come to be, and gives up with how things are instead."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"{what} did not happen in {seconds} s: {state()}")
        await asyncio.sleep(0.05)


class Balancer:
    """HAProxy with the configuration of deploy/, but for the addresses in it."""

    def __init__(self, folder, listen, servers, is_secured=False):
        """`listen` are the addresses to bind; `servers` has the address of frames and the HTTP port of each name.

        `is_secured` says that these have certificates.
        """
        self.socket = folder / "admin.sock"
        lines = (ROOT / "deploy/haproxy.cfg").read_text().replace("/run/haproxy/admin.sock", str(self.socket))
        # As many connections as a test may have descriptors for.
        lines = lines.replace("maxconn 20000", "maxconn 200")
        if os.geteuid() != 0:
            lines = re.sub(r"^    (user|group|chroot) .*\n", "", lines, flags=re.MULTILINE)
        if is_secured:
            lines = lines.replace("#default-server check-ssl", "default-server check-ssl")
        lines = lines.replace("bind :7411", f"bind {listen}").splitlines()
        lines = [line for line in lines if not line.startswith("    server ")]
        for name, (frames, http) in servers.items():
            lines.append(f"    server {name} {frames} addr 127.0.0.1 port {http}")
        self.file = folder / "haproxy.cfg"
        self.file.write_text("\n".join(lines) + "\n")
        self.log = open(folder / "haproxy.log", "wb")
        self.process = subprocess.Popen(["haproxy", "-db", "-f", str(self.file)], stdout=self.log, stderr=self.log)

    def command(self, text):
        """What HAProxy answers on its administrator's socket."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.socket))
            connection.sendall(text.encode() + b"\n")
            return b"".join(iter(lambda: connection.recv(65536), b"")).decode()

    def servers(self):
        """The state of each server, and how many connections it has."""
        rows = [line.split(",") for line in self.command("show stat").splitlines() if line.startswith("servers,")]
        return {row[1]: (row[17].split()[0], int(row[4])) for row in rows if row[1] != "BACKEND"}

    async def wait(self, what, condition):
        """Waits until the servers are as they should be."""

        def holds():
            with contextlib.suppress(OSError):
                return condition(self.servers())

        await wait(what, holds, self.servers)

    @property
    def is_checked(self):
        """Whether a server has answered that it is well."""
        with contextlib.suppress(OSError):
            return "L7OK" in self.command("show stat")

    @property
    def is_running(self):
        return self.process.poll() is None

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.log.close()

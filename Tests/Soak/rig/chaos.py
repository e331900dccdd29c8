"""Cameras behind a bad network, with hosts that vanish, servers that are killed, and clocks that are set.

HAProxy and two servers are in this network namespace, cameras in another. The link between them delays, loses,
duplicates and reorders packets, and at times carries none.
"""

import asyncio
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import time

from .balancer import Balancer, free_ports
from .clients import quiet
from .clockcheck import OLDEST, ClockCheck
from .findings import Findings
from .frames import JPEG, pictures
from .half_open import KINDS, HalfOpen
from .host import Host
from .link import Conditions, Link
from .metrics import Metrics
from .namespace import Namespace
from .remote import Setup
from .report import Report
from .server import Server, program
from .stream import Account, Wrong
from .wallclock import WallClock, compiler

CONDITIONS = Conditions(delay=0.03, jitter=0.01, loss=0.01, duplication=0.01, reordering=0.02)
SERVERS = ("server1", "server2")
#: The server's limit for a peer that says nothing.
PEER_TIME = 8
#: HAProxy's, by deploy/haproxy.cfg.
PROXY_TIME = 30
#: Seconds by which the system's timers and a busy machine may be late.
SLACK = 3
#: The clients' limits: for a connection and `hello`, and for any byte while answers are due.
CONNECT_TIMEOUT, ANSWER_TIMEOUT = 3, 5
#: When each camera has another frame read after a blackout, at the latest: a client may wait for an answer when the
#: link comes back, and then for a connection whose first packet was lost.
BLACKOUT_RETURN = ANSWER_TIMEOUT + CONNECT_TIMEOUT + SLACK
#: The same where the link has been there all the time.
RETURN = CONNECT_TIMEOUT + SLACK
#: How long anything is waited for. A test of less than a minute, for slow machines, has no other limit.
PATIENCE = 60
SHORT_BLACKOUT, LONG_BLACKOUT = 2, PEER_TIME + SLACK
#: By how much the clocks of the two servers and of a host of cameras are ahead, by turns.
CLOCKS = ((7 * 3600, -5 * 3600, -9 * 3600), (-5 * 3600, 7 * 3600, 8 * 3600))
#: No frame may expire; a deadline that a clock could upset shows that.
CAMERAS = [{"delivery": delivery, "temporal": False, "deadline_ms": 60_000} for delivery in ("every", "every", "live")]


async def run(seconds, seed, out):
    if lack := missing():
        raise SystemExit(f"soak: chaos cannot run: {lack}")
    with tempfile.TemporaryDirectory(prefix="glyphwire-chaos-") as folder:
        chaos = Chaos(pathlib.Path(folder), seed, out, is_short=seconds < 60)
        try:
            await chaos.start()
            try:
                end = time.monotonic() + seconds
                while chaos.rounds == 0 or time.monotonic() < end:
                    await chaos.round()
            except (OSError, EOFError, Wrong) as error:
                chaos.report.require(False, f"round {chaos.rounds} does not come to its end: {error!r}")
            await chaos.finish()
        finally:
            await chaos.stop()
    return chaos.report


def missing():
    """What this machine lacks for the test, in a line; None if it lacks nothing."""
    if os.geteuid() != 0:
        return "only root may make network namespaces and TUN devices"
    for tool, package in (("haproxy", "haproxy"), ("ip", "iproute2")):
        if not shutil.which(tool):
            return f"{tool} is not installed: apt-get install {package}"
    if not compiler():
        return "there is no C compiler: apt-get install gcc"
    if not os.path.exists("/dev/net/tun"):
        return "/dev/net/tun is not there: the kernel has no TUN devices, or the container was not given any"
    try:
        namespace = Namespace(is_new=True)
        try:
            os.close(namespace.add_tun("link0", ["198.18.0.2"]))
        finally:
            namespace.close()
    except (OSError, subprocess.CalledProcessError) as error:
        return f"a network namespace with a TUN device cannot be made: {error}"
    return None


class Chaos:
    """What runs, and what was measured."""

    def __init__(self, folder, seed, out, is_short):
        self.folder, self.seed, self.out, self.is_short = folder, seed, out, is_short
        self.report, self.account, self.findings = Report(), Account(), Findings()
        self.chance = random.Random(seed)
        self.rounds = 0
        # One of the networks for benchmarks (RFC 2544); another run of this test has another.
        self.network = f"198.18.{os.getpid() % 256}"
        self.address = f"{self.network}.1"
        self.port, *ports = free_ports(1 + 2 * len(SERVERS))
        self.places = {name: (ports[2 * index], ports[2 * index + 1]) for index, name in enumerate(SERVERS)}
        self.clocks = {name: WallClock(folder, name) for name in (*SERVERS, "cameras")}
        self.servers, self.hosts, self.namespaces = {}, [], []
        self.link, self.balancer = None, None
        #: The descriptors of each program before cameras came.
        self.idle = {}

    # Start and end

    async def start(self):
        """Starts everything, and has every picture read in a quiet run, on both servers."""
        here, there = self.namespaces = [Namespace(is_new=False), Namespace(is_new=True)]
        hosts = [f"{self.network}.{number}" for number in range(2, 3 + 3 * len(KINDS))]
        one = here.add_tun(f"gw{os.getpid()}", [self.address])
        self.link = Link(one, there.add_tun("link0", hosts), CONDITIONS, self.seed)
        self.vanishing = hosts[1:]
        addresses = {name: (f"{self.address}:{frames}", http) for name, (frames, http) in self.places.items()}
        listen = f"127.0.0.1:{self.port},{self.address}:{self.port}"
        self.balancer = Balancer(self.folder, listen, addresses)
        for name in SERVERS:
            await self._start_server(name)
        found = sorted(pictures(self.folder), key=lambda picture: len(picture.payload))
        # Small pictures: what is tested here is the way to the servers.
        self.found = [picture for picture in found if picture.name.startswith("1") and picture.format == JPEG]
        runs = [quiet(self.port, self.found, self.account, ["fast"]) for _ in SERVERS]
        one, other = await asyncio.gather(*runs)
        self.report.require(one == other, f"both servers read {len(self.found)} pictures alike in a quiet run")
        await self._wait_until(self._is_idle, 10)
        self.idle = self._descriptors()
        await self._start_cameras({name: reading for (name, _), reading in one.items()})

    async def _start_server(self, name):
        frames, http = self.places[name]
        clock = [f"{key}={value}" for key, value in self.clocks[name].environment.items()]
        self.servers[name] = await Server.start(
            program(), "--host", self.address, "--http", f"127.0.0.1:{http}", "--proxy-protocol", "--levels", "fast",
            "--workers", "1", "--insecure", "--peer-time", str(PEER_TIME),
            port=frames, log=self.out / f"chaos-{name}.log", before=["env", *clock],
        )  # fmt: skip
        await self.balancer.wait(f"{name} in HAProxy", lambda all: all[name][0] == "UP")

    async def _start_cameras(self, expected):
        setup = Setup(self.address, self.port, self.found, expected, CAMERAS, CONNECT_TIMEOUT, ANSWER_TIMEOUT)
        for number, environment in enumerate([{}, self.clocks["cameras"].environment]):
            file = self.folder / f"cameras{number}"
            log = self.out / "chaos-cameras.log"
            self.hosts.append(await Host.start(self.namespaces[1], setup, file, log, environment))
        await self._go_on("cameras start", BLACKOUT_RETURN)

    async def stop(self):
        """Ends what still runs, whatever has happened; the kernel removes the devices and the namespace then."""
        for host in self.hosts:
            host.kill()
        for server in self.servers.values():
            if server.is_running:
                await server.kill()
        if self.balancer:
            self.balancer.stop()
        if self.link:
            self.link.close()
        for namespace in self.namespaces:
            namespace.close()

    # What happens

    async def round(self):
        """Everything once."""
        self.rounds += 1
        freed = await self._cut_hosts_off()
        await self._black_out(SHORT_BLACKOUT)
        await self._set_clocks()
        await self._black_out(LONG_BLACKOUT)
        await self._set_clocks()
        await freed
        await self._kill(self.chance.choice(SERVERS))

    async def _black_out(self, seconds):
        self.link.is_down = True
        await asyncio.sleep(seconds)
        self.link.is_down = False
        await self._go_on(f"the link was down for {seconds} s", BLACKOUT_RETURN)

    async def _kill(self, name):
        if not self.servers[name].is_running:
            self.findings.died.append(name)
            return
        self.findings.add(await self._metrics(name))
        await self.servers[name].kill()
        await self._go_on("a server was killed", RETURN)
        await self._start_server(name)

    async def _cut_hosts_off(self):
        """Has clients vanish from both servers and from HAProxy; returns what waits until they are freed."""
        pids = {self.places[name][0]: server.process.pid for name, server in self.servers.items()}
        if not self.is_short:
            pids[self.port] = self.balancer.process.pid
        wanted = zip([(port, kind) for port in pids for kind in KINDS], self.vanishing)
        there, picture = self.namespaces[1], self.found[0]
        opening = [
            HalfOpen.open(kind, there, address, (self.address, port), pids[port], picture, is_proxied=port == self.port)
            for (port, kind), address in wanted
        ]
        opened = await asyncio.gather(*opening)
        for connection in opened:
            connection.cut_off(self.link)

        async def freed(connection):
            place, usual = ("HAProxy", PROXY_TIME) if connection.is_proxied else ("a server", PEER_TIME)
            limit = PATIENCE if self.is_short else usual + SLACK
            key = (f"of {place}, {connection.kind}", limit)
            self.findings.freed[key].append(await connection.freed(limit))
            self.link.restore(connection.address)

        return asyncio.gather(*(freed(connection) for connection in opened))

    async def _set_clocks(self):
        """Sets the clocks of all servers and of one host of cameras by hours, while all of them stream."""
        offsets = dict(zip(self.clocks, CLOCKS[self.findings.clocks_set % len(CLOCKS)]))
        self.findings.clocks_set += 1
        upset = self.findings.upset
        targets = [(self.address, self.places[name][0]) for name in SERVERS]
        checks = [await ClockCheck.connect(target, self.account, self.found[0]) for target in targets]
        for check in checks:
            await check.measure()
        opened, lost = await self._opened(), self._lost()
        for name, clock in self.clocks.items():
            clock.set(offsets[name])
        for check, name in zip(checks, SERVERS):
            await check.measure()
            if abs(check.offset - offsets[name]) > 60:
                upset.append(f"{name}'s clock is {check.offset:.0f} s ahead, and was set to {offsets[name]}")
            upset += [f"a frame is {age} ms old" for age in check.ages if not 0 <= age < OLDEST]
        await self._go_on("clocks were set", RETURN)
        if more := await self._opened() - opened:
            upset.append(f"{more:.0f} connections were made anew")
        if more := self._lost() - lost:
            upset.append(f"{more} frames were lost")
        for check in checks:
            await check.finish()

    async def _go_on(self, what, limit):
        """Waits until every camera has a frame read that it sent from now on, and notes how long that took."""
        since = time.monotonic()

        def returns():
            return [at for host in self.hosts for at in host.returns(since)]

        is_complete = await self._wait_until(lambda: None not in returns(), PATIENCE)
        key = (what, PATIENCE if self.is_short else limit)
        self.findings.returns[key].append(max(returns()) - since if is_complete else None)

    # What is measured

    async def _wait_until(self, condition, seconds):
        """Whether a condition came to hold in time."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                return False
            await asyncio.sleep(0.05)
        return True

    def _is_idle(self):
        return not any(number for _, number in self.balancer.servers().values())

    def _descriptors(self):
        processes = {name: server.process for name, server in self.servers.items()} | {"HAProxy": self.balancer.process}
        return {name: len(os.listdir(f"/proc/{process.pid}/fd")) for name, process in processes.items()}

    def _lost(self):
        return sum(host.counts["connection_lost"] for host in self.hosts)

    def _metrics(self, name):
        return Metrics.of(f"http://127.0.0.1:{self.places[name][1]}")

    async def _opened(self):
        return sum([(await self._metrics(name)).total("glyphwire_connections_accepted_total") for name in SERVERS])

    async def finish(self):
        """Ends the streams and the servers, and states what must hold."""
        processes = {**self.servers, "HAProxy": self.balancer, "cameras": self.hosts[0], "more cameras": self.hosts[1]}
        dead = [name for name, process in processes.items() if not process.is_running]
        self.report.require(not dead, f"all {len(processes)} processes run to the end {dead}")
        codes = [await host.stop() for host in self.hosts]
        self.report.require(codes == [0, 0], f"the cameras end with {codes}")
        self.findings.require_results(self.report, self.hosts)
        self._require_link()
        self.findings.require_times(self.report)
        if dead:
            return
        await self._require_descriptors()
        self.findings.require_clocks(self.report, self.hosts[1])
        for name in SERVERS:
            self.findings.add(await self._metrics(name))
        self.findings.require_counts(self.report)
        codes = [await server.stop() for server in self.servers.values()]
        self.report.require(codes == [0, 0], f"the servers end with {codes}")

    def _require_link(self):
        counts = self.link.counts
        packets = ", ".join(f"{number} {what}" for what, number in sorted(counts.items()))
        holds = all(counts[what] for what in ("lost", "duplicated", "reordered", "cut off"))
        self.report.require(holds, f"{self.rounds} rounds; packets: {packets}")

    async def _require_descriptors(self):
        """Every connection is gone, the half-open ones that blackouts left in HAProxy too."""

        def holds():
            return all(number <= self.idle[name] for name, number in self._descriptors().items())

        is_back = await self._wait_until(holds, PROXY_TIME + SLACK)
        self.report.require(is_back, f"descriptors: {self._descriptors()} at last, {self.idle} before cameras came")
        open_now = [(await self._metrics(name)).total("glyphwire_connections") for name in SERVERS]
        self.report.require(not any(open_now), f"the servers count {open_now} connections")

"""Network emulation: a link between two TUN devices that delays, loses, repeats and reorders packets.

The kernels of test machines lack `netem`, so the packets go through this process.
"""

import asyncio
import contextlib
import os
import random
import socket
from collections import Counter
from dataclasses import dataclass

#: More than a packet of the devices, whose MTU is 1,500 bytes.
LONGEST_PACKET = 1 << 16


@dataclass(frozen=True)
class Conditions:
    """What happens to packets; times in seconds, the others are probabilities."""

    delay: float = 0
    #: How much longer or shorter than `delay` a packet takes; this alone reorders nothing.
    jitter: float = 0
    loss: float = 0
    duplication: float = 0
    #: Packets that are sent at once, before those that came earlier.
    reordering: float = 0


class Link:
    """Carries IPv4 packets between two descriptors until it is closed."""

    def __init__(self, one, other, conditions, seed):
        self.conditions = conditions
        #: Whether all packets are lost.
        self.is_down = False
        #: What became of packets.
        self.counts = Counter()
        self._unreachable = set()
        self._chance = random.Random(seed)
        self._loop = asyncio.get_running_loop()
        self._descriptors = (one, other)
        self._last_due = {one: 0.0, other: 0.0}
        self._is_closed = False
        for source, target in ((one, other), (other, one)):
            self._loop.add_reader(source, self._read, source, target)

    def cut_off(self, address):
        """Loses every packet from and to an address from now on, as if its host had lost its power."""
        self._unreachable.add(socket.inet_aton(address))

    def restore(self, address):
        """Lets an address be reached again."""
        self._unreachable.discard(socket.inet_aton(address))

    def _read(self, source, target):
        with contextlib.suppress(BlockingIOError):
            while True:
                self._carry(os.read(source, LONGEST_PACKET), target)

    def _carry(self, packet, target):
        if packet[0] >> 4 != 4:
            return  # what a kernel says of IPv6 to whoever is near
        if self.is_down or packet[12:16] in self._unreachable or packet[16:20] in self._unreachable:
            self.counts["cut off"] += 1
        elif self._chance.random() < self.conditions.loss:
            self.counts["lost"] += 1
        else:
            self._send(packet, target)
            if self._chance.random() < self.conditions.duplication:
                self.counts["duplicated"] += 1
                self._send(packet, target)

    def _send(self, packet, target):
        conditions, now = self.conditions, self._loop.time()
        self.counts["carried"] += 1
        if self._chance.random() < conditions.reordering:
            self.counts["reordered"] += self._last_due[target] > now
            self._write(packet, target)
            return
        due = now + conditions.delay + self._chance.uniform(-conditions.jitter, conditions.jitter)
        self._last_due[target] = max(due, self._last_due[target])
        self._loop.call_at(self._last_due[target], self._write, packet, target)

    def _write(self, packet, target):
        if self._is_closed or self.is_down:
            return
        try:
            os.write(target, packet)
        except BlockingIOError:
            self.counts["lost in a full queue"] += 1

    def close(self):
        self._is_closed = True
        for descriptor in self._descriptors:
            self._loop.remove_reader(descriptor)
            os.close(descriptor)

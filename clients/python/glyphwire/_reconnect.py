"""How a connection that was lost is made again."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class ReconnectPolicy:
    """How a connection that was lost is made again: after a pause that grows with every attempt in a row.

    A frame that was sent and not answered is not sent again. It gets a result with the code ``connection_lost``, so
    that every frame has exactly one result.
    """

    #: How many attempts in a row may fail before the connection is given up.
    max_attempts: int = 10
    #: Seconds before the first attempt.
    initial_delay: float = 0.1
    #: By how much each pause is longer than the one before.
    multiplier: float = 2.0
    #: Seconds that no pause exceeds.
    max_delay: float = 10.0
    #: Which part of a pause is left to chance, so that many clients do not come back at once.
    jitter: float = 0.2

    def delay(self, attempt: int) -> float:
        """Seconds before an attempt, of which the first since the loss is 1."""
        delay = min(self.initial_delay, self.max_delay)
        for _ in range(1, attempt):
            if delay >= self.max_delay:
                break
            delay = min(delay * max(self.multiplier, 1.0), self.max_delay)
        return delay * (1 - random.uniform(0, min(max(self.jitter, 0.0), 1.0)))

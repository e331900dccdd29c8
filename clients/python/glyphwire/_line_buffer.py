"""What was received and not read yet."""

from __future__ import annotations

from collections import deque

from ._lines import Line


class LineBuffer:
    """Lines that nobody has taken yet, in order."""

    def __init__(self, limit: int) -> None:
        #: How many lines may wait before there is no room for more.
        self._limit = max(limit, 1)
        #: How many calls that end the stream wait, or have sent the end: meanwhile there is room, since what is under way is
        #: bounded, and whoever ends the stream may be the one who reads afterwards.
        self.finishers = 0
        #: Each with whether somebody knows what it says already.
        self._lines: deque[tuple[Line, bool]] = deque()
        self._known = 0

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def has_room(self) -> bool:
        return self.finishers > 0 or len(self._lines) - self._known < self._limit

    def add(self, line: Line, *, is_known: bool = False) -> None:
        """Keeps a line. A known one, such as a ``pong``, takes no room; where many of those wait, it is left out."""
        if is_known and self.finishers == 0 and self._known > self._limit:
            return
        self._lines.append((line, is_known))
        self._known += is_known

    def take(self) -> Line:
        line, is_known = self._lines.popleft()
        self._known -= is_known
        return line

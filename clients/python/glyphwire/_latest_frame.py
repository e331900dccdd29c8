"""What of a camera is to be sent next."""

from __future__ import annotations

from ._frame import Frame


class LatestFrame:
    """The newest frame of a source, until it is sent: the next one replaces it. No lock, no waiting."""

    def __init__(self) -> None:
        self._frame: Frame | None = None
        self._is_over = False
        self._failure: BaseException | None = None

    def put(self, frame: Frame) -> None:
        self._frame = frame

    def end(self, failure: BaseException | None = None) -> None:
        """No more frames come, because of a failure if there is one."""
        self._is_over, self._failure = True, failure

    @property
    def is_waiting(self) -> bool:
        """Whether there is a frame to be sent."""
        return self._frame is not None

    def is_due(self, may_send: bool) -> bool:
        """Whether a frame waits that may be sent, or none waits and none will come."""
        return may_send if self.is_waiting else self._is_over

    def take(self) -> Frame:
        """The newest frame; one must wait."""
        frame, self._frame = self._frame, None
        assert frame is not None
        return frame

    def raise_failure(self) -> None:
        """Raises what the source raised, if it did."""
        if self._failure is not None:
            raise self._failure

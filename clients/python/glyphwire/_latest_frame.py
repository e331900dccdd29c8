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

    def is_due(self, may_send: bool) -> bool:
        """Whether a frame waits that may be sent, or none waits and none will come."""
        return self._is_over if self._frame is None else may_send

    def take(self) -> Frame | None:
        """The newest frame; None if there is none. Raises what the source raised, behind its last frame."""
        frame, self._frame = self._frame, None
        if frame is None and self._failure is not None:
            raise self._failure
        return frame

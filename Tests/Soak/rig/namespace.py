"""A network namespace without a name, which the kernel removes when nothing holds it any more."""

import concurrent.futures
import ctypes
import fcntl
import os
import struct
import subprocess

_LIBC = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWNET = 0x40000000
_TUNSETIFF = 0x400454CA
_IFF_TUN_NO_PI = 0x1001


def _check(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


class Namespace:
    """The network of this process, or a new one; a process that is killed leaves nothing of it behind."""

    def __init__(self, is_new):
        # A namespace is a thread's: this one enters it and stays, the others remain where they are.
        self._thread = concurrent.futures.ThreadPoolExecutor(1)
        if is_new:
            self._thread.submit(lambda: _check(_LIBC.unshare(_CLONE_NEWNET))).result()
        self._descriptor = self._thread.submit(os.open, "/proc/thread-self/ns/net", os.O_RDONLY).result()

    def enter(self):
        """Brings the calling thread into the namespace: for `preexec_fn` of a process."""
        _check(_LIBC.setns(self._descriptor, _CLONE_NEWNET))

    def call(self, function, *arguments):
        """Calls a function in the namespace; a socket that it makes stays there."""
        return self._thread.submit(function, *arguments).result()

    def add_tun(self, name, addresses):
        """Makes a TUN device of the namespace with addresses, and returns its descriptor, with which it ends."""
        descriptor = self.call(os.open, "/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            fcntl.ioctl(descriptor, _TUNSETIFF, struct.pack("16sH22x", name.encode(), _IFF_TUN_NO_PI))
            for address in addresses:
                self._run("address", "add", f"{address}/24", "dev", name)
            self._run("link", "set", name, "up")
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def _run(self, *words):
        self.call(lambda: subprocess.run(["ip", *words], check=True))

    def close(self):
        self._thread.shutdown()
        os.close(self._descriptor)

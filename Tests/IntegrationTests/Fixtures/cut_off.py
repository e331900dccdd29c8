"""Cuts a server off from its clients, in a network of its own (`unshare --net`): cut_off.py PROGRAM MODELS

One client is quiet, the other has a frame in work whose line finds no way any more. Prints how many connections the server
has closed once it has closed both, or gave up neither for a minute.
"""

import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time

program, models = sys.argv[1:]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
log = tempfile.TemporaryFile()
server = subprocess.Popen(
    [program, "serve", "--port", "0", "--levels", "fast", "--workers", "1", "--peer-time", "2"],
    env={**os.environ, "GLYPHWIRE_MODELS": models},
    stdout=subprocess.PIPE,
    stderr=log,
    text=True,
)
try:
    port = int(re.search(r":(\d+)", server.stdout.readline())[1])
    clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(2)]
    for client in clients:
        client.recv(4096)
    # A network has to be compiled for this size.
    width, height = 1000, 600
    pixels = bytes(width * height)
    clients[0].sendall(struct.pack(">IBBBBQQHHI", 28 + len(pixels), 1, 5, 0, 0, 1, 0, width, height, 0) + pixels)
    subprocess.run(["ip", "link", "set", "lo", "down"], check=True)
    end, closed = time.monotonic() + 60, 0
    while closed < 2 and time.monotonic() < end:
        time.sleep(0.05)
        closed = os.pread(log.fileno(), 1 << 20, 0).count(b"connection closed")
    print(closed)
finally:
    server.kill()
    server.wait()

"""What a server does under more and more streams, and what its wire path costs without any reading."""

import json
import os
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from . import plot, report
from .others import OtherWork
from .process import bound, children_seconds, processor_seconds, resident_megabytes
from .server import BGRA, CONFIGURE, END, FRAME, JPEG, ROOT, Server, message

SESSION = ROOT / "demo/session.gws"
REPLAY = ROOT / ".build/release/glyphwire-replay"
STREAMS = [1, 2, 4, 8, 16, 32]
# Frames a second of each stream that is played as a camera would send it.
RATE = 5
STAGES = ["decode", "detect", "recognize"]


def cores():
    """The server's cores and the load's: all but the last, and the last."""
    every = sorted(os.sched_getaffinity(0))
    return set(every[:-1] or every), {every[-1]}


def replay(others, server, session, *options):
    """Plays a session from the load's core, and counts the `others` at work meanwhile; the report's only run."""

    def own():
        return processor_seconds(server.pid) + children_seconds()

    with tempfile.TemporaryDirectory() as folder, others.during(own):
        path = Path(folder) / "report.json"
        command = [REPLAY, "run", session, "--port", server.port, "--report", path, *options]
        played = subprocess.run(
            [str(part) for part in command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=bound(cores()[1]),
        )
        if played.returncode:
            raise SystemExit(f"bench: {REPLAY.name} failed:\n{played.stdout}")
        return json.loads(path.read_text())["runs"][0]


def streams(others, count, seconds, delivery, *options):
    """One row: so many streams against a server of their own."""
    workers = len(cores()[0])
    server = Server("--workers", str(workers), "--levels", "fast", cores=cores()[0])
    try:
        # Networks for sizes of pictures, and of parts of them, are made when they are first asked for; they are not what is
        # measured.
        for warm_up in ("every", delivery):
            replay(others, server, SESSION, "--connections", workers, "--max-in-flight", 1, "--delivery", warm_up)
        before = processor_seconds(server.pid)
        length = ["--connections", count, "--duration", seconds]
        run = replay(others, server, SESSION, *length, "--delivery", delivery, *options)
        busy = processor_seconds(server.pid) - before
        memory = round(resident_megabytes(server.pid))
    finally:
        server.close()
    frames, latency = run["frames"], run["latency"]
    dropped = sum(each["count"] for each in frames["outcomes"] if each["status"]["status"] == "dropped")
    row = {
        "streams": count,
        "offered": frames["offered"],
        "read": frames["ok"],
        "dropped": dropped,
        "fps": round(run["fps"], 2),
        "busy_ms_a_frame": round(1000 * busy / max(frames["ok"], 1), 2),
        "busy_share": round(busy / run["measured_seconds"] / workers, 3),
        "p50_ms": latency["since_due"]["p50_ms"],
        "p99_ms": latency["since_due"]["p99_ms"],
        "queue_ms": latency["queue"]["max_ms"],
        "memory_mb": memory,
        "stages_ms": {name: round(latency[name]["mean_ms"], 2) for name in STAGES},
    }
    print(
        f"{count:3} streams: {row['fps']:6.1f} frames/s, {row['busy_ms_a_frame']:.1f} ms busy a frame, "
        f"p99 {row['p99_ms']:.0f} ms, {dropped} of {row['offered']} dropped, {memory} MB",
        flush=True,
    )
    return row


# Frames of the wire path: what they are called, their format, and the bytes of each.
PAYLOADS = [
    ("JPEG of 4 kB", JPEG, 4 << 10, (0, 0)),
    ("JPEG of 64 kB", JPEG, 64 << 10, (0, 0)),
    ("BGRA 1280x720", BGRA, 1280 * 720 * 4, (1280, 720)),
]
# Frames captured an hour ago by the server's clock, in streams that let nothing older than a millisecond be read: each is
# received, takes its turn and is answered, and that is all.
TOO_OLD = {"deadline_ms": 1, "clock_offset_us": -3_600_000_000, "delivery": "every"}


def wire(others, name, form, size, dimensions, count, seconds):
    """One row: frames that ask for no reading, as fast as they are taken."""
    with tempfile.TemporaryDirectory() as folder:
        session = Path(folder) / "wire.gws"
        now = int(time.time() * 1e6)
        frames = [message(CONFIGURE, json.dumps(TOO_OLD).encode())]
        frames += [
            message(FRAME, bytes(size), form, sequence=index, captured=now + index, size=dimensions) for index in range(16)
        ]
        session.write_bytes(b"".join(frames) + message(END))
        server = Server("--workers", str(len(cores()[0])), "--levels", "fast", cores=cores()[0])
        try:
            before = processor_seconds(server.pid)
            options = ["--connections", count, "--duration", seconds, "--max-in-flight", 8, "--preload"]
            run = replay(others, server, session, *options)
            busy = processor_seconds(server.pid) - before
        finally:
            server.close()
    answered = run["frames"]["answered"]
    expired = sum(each["count"] for each in run["frames"]["outcomes"] if each["status"]["status"] == "expired")
    if expired != answered:
        raise SystemExit(f"bench: of {answered} frames that are too old, {answered - expired} were not refused")
    rate = answered / seconds
    row = {
        "frames": name,
        "streams": count,
        "bytes": size,
        "fps": round(rate),
        "mb_per_s": round(rate * size / 1e6),
        "busy_us_a_frame": round(1e6 * busy / max(answered, 1), 1),
    }
    print(f"wire, {name}, {count} streams: {row['fps']} frames/s, {row['mb_per_s']} MB/s", flush=True)
    return row


def loopback_mb_per_s(size, seconds=2.0):
    """What two plain sockets carry between the same cores: blocks of `size` bytes, each answered by one line."""
    listener = socket.create_server(("127.0.0.1", 0))
    answer = b"x" * 120 + b"\n"

    def receive():
        os.sched_setaffinity(0, cores()[0])
        peer, _ = listener.accept()
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        block = memoryview(bytearray(size))
        while True:
            taken = 0
            while taken < size:
                count = peer.recv_into(block[taken:])
                if not count:
                    return
                taken += count
            peer.sendall(answer)

    thread = threading.Thread(target=receive, daemon=True)
    thread.start()
    sender = socket.create_connection(listener.getsockname())
    sender.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    lines, block, sent, began = sender.makefile("rb"), bytes(size), 0, time.perf_counter()
    ahead = 8
    while time.perf_counter() - began < seconds:
        sender.sendall(block)
        sent += 1
        if sent > ahead:
            lines.readline()
    for _ in range(min(ahead, sent)):
        lines.readline()
    elapsed = time.perf_counter() - began
    sender.shutdown(socket.SHUT_WR)
    thread.join()
    sender.close()
    listener.close()
    return round(sent * size / elapsed / 1e6)


def copy_mb_per_s(size, seconds=1.0):
    """How fast memory is copied, in blocks of `size` bytes that are new each time, as frames are."""
    source = [bytes([index % 256]) * size for index in range(max(2, (64 << 20) // size))]
    target, copied, began = bytearray(size), 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        target[:] = source[copied % len(source)]
        copied += 1
    return round(copied * size / (time.perf_counter() - began) / 1e6)


def measure(output, seconds=20):
    """Measures all of it; writes load.md, load.json, load.svg and load.png."""
    others, results = OtherWork(), {"seconds": seconds, "rate": RATE}
    print(f"streams at {RATE} frames a second, what is too much is dropped:")
    results["live"] = [streams(others, count, seconds, "live", "--rate", RATE) for count in STREAMS]
    print("streams that have every frame read, the next when one is answered:")
    results["every"] = [streams(others, count, seconds, "every", "--max-in-flight", 2) for count in STREAMS]
    results["wire"] = [wire(others, *payload, count, seconds / 4) for payload in PAYLOADS for count in (1, 8)]
    results["limits"] = [
        {"frames": name, "loopback_mb_per_s": loopback_mb_per_s(size), "copy_mb_per_s": copy_mb_per_s(size)}
        for name, _, size, _ in PAYLOADS
    ]
    results |= report.circumstances(others)
    output.mkdir(parents=True, exist_ok=True)
    (output / "load.json").write_text(json.dumps(results, indent=1) + "\n")
    (output / "load.md").write_text(markdown(results))
    plot.load(results, output)
    print(f"written to {output}: load.md, load.json, load.svg and .png")


def markdown(results):
    """The page about it."""
    machine, seconds = results["machine"], results["seconds"]
    server, last = cores()
    parts = [
        "# Under load\n",
        f"{results['date']}, {machine['cpu']}, {machine['cores']} cores, {machine['system']}: the server on {len(server)} of them with as "
        f"many workers at level `fast`, the load on {'another' if server != last else 'the same'}. Each row is a server "
        f"of its own and {seconds:g} s of `demo/session.gws`, nine rendered scenes and a recorded screen. "
        "`make bench-load` makes this page.\n",
        report.reservation(results),
    ]
    parts += ["![Under load](load.png)\n", f"## Cameras of {results['rate']} frames a second\n", table(results["live"])]
    parts.append(
        "What is too much is dropped (`\"delivery\":\"live\"`). A frame that waits for a worker gives its place to the next one "
        f"of its stream, so none that is read has waited for longer than the gap between two, {1000 // results['rate']} ms, "
        "however many streams there are: beyond the cores it is drops that rise. What a frame takes beyond that is its own "
        "reading, longest where the scene is new.\n"
    )
    parts += ["## Every frame read\n", table(results["every"])]
    parts.append(
        "Two frames of each stream are on the way at any time (`\"delivery\":\"every\"`), so more streams wait longer "
        "for each other, and each frame is read.\n"
    )
    parts += ["## The wire path alone\n", wire_table(results)]
    parts.append(
        "Frames too old for their stream's `deadline_ms`: received, queued, answered, not decoded. *Loopback* is what two "
        "plain Python sockets carry between the same cores in blocks of this size, each answered by a line; *memory* is a "
        "copy of such blocks.\n"
    )
    return "\n".join(part for part in parts if part)


def table(rows):
    """Rows of streams as a table."""
    lines = [
        "| streams | offered | read | dropped | frames/s | p50 ms | p99 ms | waited at most | ms busy a frame "
        "| decode / detect / recognize ms | cores busy | MB |",
        "|---:" * 12 + "|",
    ]
    for row in rows:
        stages = " / ".join(f"{row['stages_ms'][name]:.1f}" for name in STAGES)
        lines.append(
            f"| {row['streams']} | {row['offered']} | {row['read']} | {row['dropped']} | {row['fps']:.1f} "
            f"| {row['p50_ms']:.0f} | {row['p99_ms']:.0f} | {row['queue_ms']:.0f} | {row['busy_ms_a_frame']:.1f} | {stages} "
            f"| {row['busy_share']:.0%} | {row['memory_mb']} |"
        )
    return "\n".join(lines) + "\n"


def wire_table(results):
    """Rows of the wire path as a table."""
    lines = ["| frames | streams | frames/s | MB/s | µs busy a frame | loopback MB/s | memory MB/s |", "|---" + "|---:" * 6 + "|"]
    limits = {each["frames"]: each for each in results["limits"]}
    for row in results["wire"]:
        limit = limits[row["frames"]]
        lines.append(
            f"| {row['frames']} | {row['streams']} | {row['fps']} | {row['mb_per_s']} | {row['busy_us_a_frame']:.0f} "
            f"| {limit['loopback_mb_per_s']} | {limit['copy_mb_per_s']} |"
        )
    return "\n".join(lines) + "\n"

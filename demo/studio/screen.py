"""Records a real screen: a shell and an editor in two terminal windows, on a display that Xvfb keeps in a file."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

WIDTH, HEIGHT = 960, 540

LOG = """\
tide  station    level  wind
0412  Saltpan    1.82   NE 4
0624  Gull Rock  2.10   NE 5
0837  Saltpan    2.47   E 5
1049  Harrow     2.91   E 6
1301  Gull Rock  2.63   SE 4
"""

LETTER = """\
Dear Oona,

the new gauge reads high by
four centimetres. I checked
it against the brass staff
on Tuesday and again today.

Please send the long screws
with the next boat, and tea.

"""

PROMPT = r"\[\e[1;32m\]warden@tidehouse\[\e[0m\]:\[\e[1;34m\]~/log\[\e[0m\]$ "


class Window:
    """A terminal window with a tmux session in it, whose text and place are known."""

    def __init__(self, screen, name, place, columns, rows, colours, command):
        self.screen, self.name, self.place, self.columns, self.rows = screen, name, place, columns, rows
        paper, ink = colours
        tmux = [
            "tmux",
            "-S",
            screen.socket,
            "-f",
            "/dev/null",
            "new-session",
            "-s",
            name,
            "-x",
            str(columns),
            "-y",
            str(rows),
        ]
        face = [
            "-fa",
            "DejaVu Sans Mono",
            "-fs",
            "11",
            "-bg",
            paper,
            "-fg",
            ink,
            "-cr",
            ink,
            "-b",
            "10",
            "-bw",
            "0",
            "+sb",
        ]
        geometry = f"{columns}x{rows}+{place[0]}+{place[1]}"
        options = [";", "set", "-g", "status", "off"]
        screen.start(["xterm", *face, "-geometry", geometry, "-e", *tmux, command, *options])
        self.paper = tuple(int(paper[i : i + 2], 16) for i in (5, 3, 1))

    def type(self, text):
        """Types into the window."""
        self.screen.tmux("send-keys", "-t", self.name, "-l", text)

    def press(self, key):
        """Presses a key by tmux's name for it."""
        self.screen.tmux("send-keys", "-t", self.name, key)

    def words(self, picture):
        """The words in the window, with the corners of their ink in the screen's pixels."""
        mask = (picture[..., :3] == self.paper).all(-1)
        mask[:, : self.place[0]] = False
        mask[:, self.place[0] + self.size(mask)[0] :] = False
        left, top = self.place
        wide, high = (
            round((extent - 20) / count)
            for extent, count in zip(self.size(mask), (self.columns, self.rows), strict=True)
        )
        text = self.screen.tmux("capture-pane", "-p", "-t", self.name).splitlines()
        for row, line in enumerate(text):
            column = 0
            for word in line.split(" "):
                x, y = left + 10 + column * wide, top + 10 + row * high
                box = picture[round(y) : round(y + high), round(x) : round(x + len(word) * wide), :3].astype(int)
                column += len(word) + 1
                if not any(character.isalnum() for character in word):
                    continue
                common = np.median(box.reshape(-1, 3), axis=0)
                ink = np.abs(box - common).max(-1) > 60
                columns, rows = np.flatnonzero(ink.any(0)), np.flatnonzero(ink.any(1))
                if len(columns):
                    x0, x1 = round(x) + columns[0], round(x) + columns[-1] + 1
                    y0, y1 = round(y) + rows[0], round(y) + rows[-1] + 1
                    yield word, np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64)

    def size(self, mask):
        """The window's extent in pixels, by where its paper is seen right of and below its corner."""
        left, top = self.place
        run = np.flatnonzero(~mask[top + 2, left:])
        fall = np.flatnonzero(~mask[top:, left + 2])
        return (run[0] if len(run) else mask.shape[1] - left, fall[0] if len(fall) else mask.shape[0] - top)


class Screen:
    """A virtual display and what runs on it; ends all of it when left."""

    def __enter__(self):
        for program in ("Xvfb", "xterm", "tmux", "nano"):
            if not shutil.which(program):
                sys.exit(f"no {program}: install the packages that the head of make_session.py lists")
        self.folder = tempfile.TemporaryDirectory()
        self.socket = self.folder.name + "/tmux"
        self.home = Path(self.folder.name, "home")
        (self.home / "log").mkdir(parents=True)
        self.processes = []
        read, write = os.pipe()
        xvfb = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir", self.folder.name]
        self.processes.append(subprocess.Popen(xvfb, pass_fds=[write], stderr=subprocess.DEVNULL))
        os.close(write)
        with os.fdopen(read) as answer:
            self.display = ":" + answer.readline().strip()
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")
        for process in reversed(self.processes):
            process.terminate()
            process.wait()
        self.folder.cleanup()

    def environment(self):
        """What the programs on the screen see of the world outside."""
        kept = {key: os.environ[key] for key in ("PATH",)}
        return {
            **kept,
            "DISPLAY": self.display,
            "HOME": str(self.home),
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "PS1": PROMPT,
            "SHELL": "/bin/sh",
            "LS_COLORS": "di=1;34",
        }

    def start(self, command):
        """Starts a program on the screen."""
        self.processes.append(subprocess.Popen(command, env=self.environment(), cwd=self.home / "log"))

    def tmux(self, *arguments):
        """Runs a tmux command; returns what it prints."""
        command = ["tmux", "-S", self.socket, *arguments]
        return subprocess.run(command, env=self.environment(), capture_output=True, text=True).stdout

    def picture(self):
        """The screen's pixels as BGRA."""
        raw = Path(self.folder.name, "Xvfb_screen0").read_bytes()
        header = np.frombuffer(raw[:100], ">u4")
        start = int(header[0] + 12 * header[19])
        rows = np.frombuffer(raw, np.uint8, int(header[12]) * HEIGHT, start).reshape(HEIGHT, -1)
        picture = rows[:, : WIDTH * 4].reshape(HEIGHT, WIDTH, 4).copy()
        picture[..., 3] = 255
        return picture

    def settled(self):
        """The screen's pixels once nothing has moved for a while."""
        before, since = self.picture(), time.monotonic()
        while time.monotonic() - since < 0.35:
            time.sleep(0.05)
            after = self.picture()
            if not np.array_equal(before, after):
                before, since = after, time.monotonic()
        return before


def record():
    """Yields (BGRA pixels, words) at each step of somebody's work at the screen."""
    with Screen() as screen:
        log = screen.home / "log"
        for name, text, date in (
            ("tides.txt", LOG, "2026-03-04 13:05"),
            ("letter.txt", LETTER, "2026-03-04 17:40"),
            ("gauge.cfg", "zero 0.04\n", "2026-02-27 08:12"),
        ):
            (log / name).write_text(text)
            subprocess.run(["touch", "-d", date, str(log / name)], check=True)
        shell = Window(screen, "shell", (0, 0), 62, 27, ("#14202b", "#dfe6e2"), "bash --norc --noprofile")
        editor = Window(screen, "letter", (596, 0), 38, 27, ("#f7f4ea", "#22262a"), "nano -x -I letter.txt")
        screen.settled()
        shell.type("clear")
        shell.press("Enter")

        def step():
            picture = screen.settled()
            return picture, [*shell.words(picture), *editor.words(picture)]

        yield step()
        shell.type("ls -og --time-style=long-iso")
        yield step()
        shell.press("Enter")
        yield step()
        shell.type("cat tides.txt")
        shell.press("Enter")
        yield step()
        shell.type("sort -k3 -n tides.txt | tail -n 2")
        yield step()
        shell.press("Enter")
        for _ in range(12):
            editor.press("Down")
        editor.type("Yours, Idris")
        yield step()
        shell.type("grep -c Rock tides.txt")
        shell.press("Enter")
        yield step()

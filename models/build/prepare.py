#!/usr/bin/env python3
"""Rewrites the fetched models into the files that the engine loads.

    models/build/prepare.py SOURCES OUTPUT [--pin]

SOURCES is the folder of the PP-OCRv6 files, OUTPUT where the prepared ones go. Each network comes with float32 weights, with
int8 convolutions for processors with vector neural network instructions, and with such as AVX2 sums up without overflow.
Detectors with int8 convolutions come in two forms, the second for inputs with open sides.
The same sources give the same bytes, on every machine. --pin writes the SHA-256 of each file into models/manifest and
Sources/TextRecognitionOpenVINO/ModelHashes.swift; else nothing is compared. Needs nothing but Python's own library.
"""

import argparse
import copy
import hashlib
import json
import re
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Iterator, List, Tuple

from networks import detector, recognizer
from networks.graph import Graph
from networks.quantize import dequantize_weights, quantize_convolutions

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
RANGES = Path(__file__).resolve().parent / "ranges"
MANIFEST = MODELS / "manifest"
HASHES = ROOT / "Sources/TextRecognitionOpenVINO/ModelHashes.swift"

#: The networks, the slowest to prepare first.
NETWORKS = [("recognizer", "small"), ("detector", "small"), ("recognizer", "tiny"), ("detector", "tiny")]
WORDS = "words-latin.bloom"
SOURCES = {"detector": "PP-OCRv6_det_{}.onnx", "recognizer": "PP-OCRv6_rec_{}.onnx"}


def read(path: Path) -> Graph:
    """The network in a file, with floating-point weights."""
    graph = Graph(path.read_bytes())
    dequantize_weights(graph)
    return graph


def fused(kind: str, size: str, sources: Path) -> Tuple[Graph, str]:
    """A network with the faster head, and the characters that it recognizes."""
    graph = read(sources / SOURCES[kind].format(size))
    if kind == "detector":
        detector.fuse_head(graph)
        return graph, ""
    backbone = MODELS / f"features_{size}.onnx"
    if backbone.exists():
        recognizer.replace_backbone(graph, read(backbone))
    characters = [each for each in graph.metadata["character"].split("\n") if each]
    order = recognizer.class_order(characters)
    scripts = recognizer.score_scripts(graph, read(MODELS / f"scripts_{size}.onnx"))
    recognizer.gate_classifier(graph, read(MODELS / f"gate_{size}.onnx"), order, [scripts])
    return graph, recognizer.character_list(characters, order)


def files(kind: str, size: str, sources: Path) -> Iterator[Tuple[str, bytes]]:
    """The names and the contents of all files of a network."""
    name = f"{kind}-{size}"
    graph, characters = fused(kind, size, sources)
    if characters:
        yield f"{name}.characters", characters.encode()
    yield f"{name}-float32.onnx", graph.encoded()
    ranges = json.loads((RANGES / f"{name}.json").read_text())
    for variant, pair_sums in (("int8-vnni", False), ("int8-avx2", True)):
        quantized = copy.deepcopy(graph)
        quantize_convolutions(quantized, ranges, pair_sums)
        yield f"{name}-{variant}.onnx", quantized.encoded()
        if kind == "detector":
            detector.guard_means(quantized)
            yield f"{name}-{variant}-open.onnx", quantized.encoded()


def prepare(kind: str, size: str, sources: Path, output: Path) -> List[Tuple[str, str]]:
    """Writes all files of a network, each whole or not at all; returns their names and SHA-256."""
    return [write(output, name, content) for name, content in files(kind, size, sources)]


def prepare_words(output: Path) -> Tuple[str, str]:
    """Writes the words by which misread ones are corrected; returns the file's name and SHA-256."""
    return write(output, WORDS, (MODELS / WORDS).read_bytes())


def write(output: Path, name: str, content: bytes) -> Tuple[str, str]:
    """Writes a file, whole or not at all; returns its name and SHA-256."""
    partial = output / (name + ".partial")
    partial.write_bytes(content)
    partial.replace(output / name)
    return name, hashlib.sha256(content).hexdigest()


def prepare_all(sources: Path, output: Path) -> List[Tuple[str, str]]:
    """Writes the files of all networks, on all processors, and the words; returns their names and SHA-256."""
    output.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor() as pool:
        jobs = [pool.submit(prepare, kind, size, sources, output) for kind, size in NETWORKS]
        return sorted([prepare_words(output), *(entry for job in jobs for entry in job.result())])


def pin(hashes: List[Tuple[str, str]]) -> None:
    """Writes the hashes where setup and the loader look them up."""
    lines = "".join(f"built  {sha256}  models/{name}\n" for name, sha256 in hashes)
    MANIFEST.write_text(re.sub(r"(built  [0-9a-f].*\n)+", lines, MANIFEST.read_text()))
    entries = "".join(f'        "{name}":\n            "{sha256}",\n' for name, sha256 in hashes)
    HASHES.write_text(
        "// Written by models/build/prepare.py.\n\n"
        "/// The SHA-256 of each model file, as `models/manifest` has it.\n"
        "enum ModelHashes {\n    static let all: [String: String] = [\n" + entries + "    ]\n}\n"
    )


def main() -> None:
    """Prepares all networks, and pins them where asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--pin", action="store_true")
    options = parser.parse_args()
    hashes = prepare_all(options.sources, options.output)
    if options.pin:
        pin(hashes)


if __name__ == "__main__":
    main()

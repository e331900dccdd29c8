#!/usr/bin/env python3
"""Makes models/words-latin.bloom: a Bloom filter of the words of languages in Latin script.

    python3 models/training/words.py FOLDER models/words-latin.bloom

FOLDER has the files *.traineddata of Debian's packages tesseract-ocr-* for the languages in LANGUAGES; their word lists are
unpacked with combine_tessdata and dawg2wordlist of Debian's tesseract-ocr. The same files give the same bytes.
"""

import argparse
import functools
import subprocess
import tempfile
import unicodedata
from pathlib import Path

#: The languages in Latin script of Europe, and of those of other places the most spoken and those that the recognizers read.
LANGUAGES = [
    "afr", "bos", "cat", "ces", "cym", "dan", "deu", "eng", "est", "eus", "fil", "fin", "fra", "gle", "glg", "hrv", "hun", "ind",
    "isl", "ita", "kmr", "lat", "lav", "lit", "ltz", "mlt", "mri", "msa", "nld", "nor", "pol", "por", "ron", "slk", "slv", "spa",
    "sqi", "srp_latn", "swa", "swe", "tur", "vie",
]
#: A shorter word has too many neighbours that are words as well, and few texts have longer ones.
SHORTEST, LONGEST = 3, 12
#: With these, 1 in 800 of other strings counts as a word: 0.6185 to the power of the bits for a word.
BITS_FOR_A_WORD = 14
HASHES = 10
#: FNV-1a with 64 bits, by Fowler, Noll and Vo.
FNV_OFFSET, FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3


@functools.cache
def folded_letter(letter):
    """The letter of a to z of which a small letter is a variant, by its name as in Unicode.Scalar.baseLetter; else itself."""
    words = unicodedata.name(letter, "").split(" ")
    if ord(letter) < 128 or words[0] != "LATIN" or "LETTER" not in words:
        return letter
    return next((each.lower() for each in words if len(each) == 1), letter)


def folded(word):
    """A word without capitals and diacritics."""
    return "".join(map(folded_letter, unicodedata.normalize("NFC", word).lower()))


def words(file, folder):
    """The words in a language's file."""
    language = file.stem
    subprocess.run(["combine_tessdata", "-u", file, f"{folder}/{language}."], check=True, capture_output=True)
    parts = [f"{folder}/{language}.{part}" for part in ("lstm-unicharset", "lstm-word-dawg", "txt")]
    subprocess.run(["dawg2wordlist", *parts], check=True, capture_output=True)
    for word in Path(parts[-1]).read_text(encoding="utf-8").splitlines():
        if word.isalpha() and SHORTEST <= len(word) <= LONGEST and ord(max(word)) < 0x250:
            yield folded(word)


def places(word, bits):
    """The bits of a word: Kirsch and Mitzenmacher, Less Hashing, Same Performance (2006)."""
    value = FNV_OFFSET
    for byte in word.encode():
        value = (value ^ byte) * FNV_PRIME & 0xFFFFFFFFFFFFFFFF
    first, step = value & 0xFFFFFFFF, value >> 32 | 1
    return [(first + index * step) % bits for index in range(HASHES)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    known = set()
    with tempfile.TemporaryDirectory() as folder:
        for language in LANGUAGES:
            known.update(words(options.folder / f"{language}.traineddata", folder))
    size = (len(known) * BITS_FOR_A_WORD + 7) // 8
    table = bytearray(size)
    for word in known:
        for place in places(word, 8 * size):
            table[place >> 3] |= 1 << (place & 7)
    options.output.write_bytes(table)
    print(f"{len(known)} words, {size} bytes")


if __name__ == "__main__":
    main()

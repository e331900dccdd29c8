"""Prints the table of LetterBigrams.swift: how likely one letter follows another in words.

Needs the word lists of Debian's wamerican, wngerman, wfrench, wspanish, witalian, wportuguese, wdutch, wswedish, wpolish,
wdanish and wnorwegian: python3 bigrams.py
"""

import collections
import math
import unicodedata

FOLDER = "/usr/share/dict"
#: English counts three times.
LISTS = {
    "american-english": 3, "ngerman": 1, "french": 1, "spanish": 1, "italian": 1, "portuguese": 1, "dutch": 1,
    "swedish": 1, "polish": 1, "danish": 1, "bokmaal": 1,
}
WITHOUT_MARK = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"}
LONGEST = 9
#: ^ is the beginning of a word, and its end.
LETTERS = "^abcdefghijklmnopqrstuvwxyz"
#: The share of the probability that all letters have alike, so that none is impossible.
FLOOR = 0.02


def plain(word):
    """A word in letters from a to z."""
    for letter, others in WITHOUT_MARK.items():
        word = word.replace(letter, others)
    return "".join(c for c in unicodedata.normalize("NFD", word.lower()) if "a" <= c <= "z")


def counts():
    """How often each letter follows each other, of the lists by their weights."""
    total = collections.Counter()
    for name, weight in LISTS.items():
        found = collections.Counter()
        with open(f"{FOLDER}/{name}", encoding="utf-8", errors="ignore") as file:
            for word in map(str.strip, file):
                if "'" in word or not 2 <= len(word) <= LONGEST:
                    continue
                letters = f"^{plain(word)}^"
                found.update(zip(letters, letters[1:]))
        for pair, count in found.items():
            total[pair] += weight * count / found.total()
    return total


def code(probability):
    """A letter for the negative logarithm in quarters: A is 0."""
    quarters = round(-math.log(probability) * 4)
    return chr(ord("A") + quarters) if quarters < 26 else chr(ord("a") + quarters - 26)


def main():
    pairs = counts()
    for first in LETTERS:
        sum_of_row = sum(pairs[first, second] for second in LETTERS)
        shares = (pairs[first, second] / sum_of_row for second in LETTERS)
        print("".join(code(share * (1 - FLOOR) + FLOOR / len(LETTERS)) for share in shares))


if __name__ == "__main__":
    main()

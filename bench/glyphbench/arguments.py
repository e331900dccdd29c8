"""Kinds of values that options of several commands take."""

import os
from argparse import ArgumentTypeError


def count(text):
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text} is no whole number from 1")
    return int(text)


def core(text):
    """A core that this process may use, by its number."""
    usable = sorted(os.sched_getaffinity(0))
    if text not in map(str, usable):
        raise ArgumentTypeError(f"there is no core {text}: this process may use {', '.join(map(str, usable))}")
    return int(text)

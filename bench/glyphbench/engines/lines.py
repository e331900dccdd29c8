"""Lines to words, for engines that tell no boxes of words."""


def split(text, quad):
    """The words of a line, each with a share of the line's box by its place among the line's characters.

    It is the fairest that can be done from outside: every character is taken to be as wide as every other.
    """
    words, length = [], len(text)
    start = 0
    for part in text.split(" "):
        end = start + len(part)
        if part:
            words.append({"quad": slice_of(quad, start / length, end / length), "text": part})
        start = end + 1
    return words


def slice_of(quad, start, end):
    """What lies between two fractions of a box's length; its corners go clockwise from the top left."""

    def between(a, b, share):
        return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]

    top_left, top_right, bottom_right, bottom_left = quad
    return [
        between(top_left, top_right, start),
        between(top_left, top_right, end),
        between(bottom_left, bottom_right, end),
        between(bottom_left, bottom_right, start),
    ]

"""Words and characters as the protocol tells them."""


def words(lines):
    """The words of a result's lines."""
    return [piece(word) for line in lines for word in line["words"]]


def piece(told):
    """A word, line or character of a result line: its corners, its text if it was read, and its characters if it has
    them."""
    scored = {"quad": [list(corner) for corner in zip(told["box"][::2], told["box"][1::2])]}
    if told["text"]:
        scored["text"] = told["text"]
    if "characters" in told:
        scored["characters"] = [piece(each) for each in told["characters"]]
    return scored

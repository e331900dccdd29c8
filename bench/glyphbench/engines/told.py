"""Words and characters as the protocol tells them."""


def piece(told):
    """A word, line or character of a result line: its corners, its text if it was read, and its characters if it has
    them."""
    scored = {"quad": [list(corner) for corner in zip(told["box"][::2], told["box"][1::2])]}
    if told["text"]:
        scored["text"] = told["text"]
    if "characters" in told:
        scored["characters"] = [piece(each) for each in told["characters"]]
    return scored

"""Data sets: folders with a gt.jsonl."""

import json


class DataSet:
    """A folder of pictures and the truth about them; README.md says what is in it.

    With `limit` it has so many of the pictures, spread over the set, as neighbours are often alike.
    """

    def __init__(self, folder, limit=None):
        self.folder, self.name = folder, folder.name
        self.truths = truths(folder / "gt.jsonl")
        if limit and limit < len(self.truths):
            step = len(self.truths) / limit
            self.truths = [self.truths[int(step * k)] for k in range(limit)]
        items = [item for truth in self.truths for item in truth["items"]]
        self.word_count = sum(len(item["text"].split()) for item in items if not item.get("ignore"))
        self.has_characters = any(item.get("chars") for item in items)
        self.has_words = any(truth.get("level", "word") == "word" for truth in self.truths)

    @property
    def main_figure(self):
        """The figure that says most about this set."""
        return "e2e_f" if self.has_words else "bow_f"

    def path(self, truth):
        """Where a picture is."""
        return self.folder / truth["image"]


def truths(file):
    """The lines of a gt.jsonl, one a picture."""
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            found.append(json.loads(line))
            flaw = flaw_of(found[-1], file.parent)
        except json.JSONDecodeError as error:
            flaw = f"no JSON: {error}"
        if flaw:
            raise SystemExit(f"bench: {file}:{number}: {flaw}")
    if not found:
        raise SystemExit(f"bench: {file} is empty")
    return found


def flaw_of(truth, folder):
    """Why the truth about a picture in `folder` cannot be used; None if it can."""
    if not isinstance(truth, dict) or not {"image", "items"} <= truth.keys():
        return "no object with `image` and `items`"
    if any("poly" not in item or "text" not in item and not item.get("ignore") for item in truth["items"]):
        return "an item without `poly`, or without `text` where it is not ignored"
    return None if (folder / truth["image"]).is_file() else f"there is no {truth['image']}"


def folders_in(paths):
    """The folders with a gt.jsonl among `paths` and right below them, in order."""
    found = []
    for path in paths:
        inside = [path] if (path / "gt.jsonl").exists() else sorted(file.parent for file in path.glob("*/gt.jsonl"))
        if not inside:
            raise SystemExit(f"bench: neither {path} nor a folder in it has a gt.jsonl")
        found += [folder.resolve() for folder in inside]
    return found

"""How well an engine read pictures.

`tally` counts what an engine told about one picture; tallies add up, and `figures` makes of their sum

  det_f       words whose box overlaps a true word's by an IoU of 0.5 or more, one to one: F-measure
  det_p, det_r  its precision and recall
  e2e_f       the same, and the text is right but for case and outer punctuation; punctuation alone counts as it is
  bow_f       words of the text, upper-cased, as a bag for each picture, wherever they stand
  char_box_f  characters whose box overlaps a true character's by an IoU of 0.5 or more, one to one
  char_f      the same, and the character is right but for case
  cer         edits that would make the matched words right, for each character of the true ones

Words and characters of which more than half lies on what the truth says to ignore count neither way. Sets that know
lines but no words have no figures of words' boxes. What has no meaning for a set, or is not offered by an engine, is
left out. Texts are compared in normalization form C, in which an accented letter is one code point where there is one.
"""

import random
import string
import unicodedata
from collections import Counter

from .geometry import Box, pairs

OUTER = string.punctuation + "“”’‘–—…·•"


def composed(text):
    """A text in normalization form C."""
    return unicodedata.normalize("NFC", text)


def bare(text):
    """A text without case and outer punctuation; of punctuation alone, all of it."""
    text = composed(text)
    return composed((text.strip(OUTER) or text).casefold())


def edits(a, b):
    """The Levenshtein distance between two texts."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (left != right))
    return row[-1]


def tally(truth, words, characters):
    """The counts for one picture.

    `truth` is its line of gt.jsonl; `words` and `characters` are what the engine told, each a dictionary with `quad`
    and `text`, and None for what it does not offer. A word without text is found and not read.
    """
    care = [item for item in truth["items"] if not item.get("ignore")]
    ignored = [Box(item["poly"]) for item in truth["items"] if item.get("ignore")]
    count = Counter()
    if words is not None:
        words, boxes = without(ignored, words)
        count += bags(words, care)
        if truth.get("level", "word") == "word":
            count += matches(words, boxes, care)
    if characters is not None:
        count += letters(*without(ignored, characters), care)
    return count


def without(ignored, things):
    """What of `things`, and of their boxes, does not lie by more than half on something that is to be ignored."""
    boxes = [Box(thing["quad"]) for thing in things]
    kept = [k for k, box in enumerate(boxes) if not any(each.shared(box) > 0.5 * box.area for each in ignored)]
    return [things[k] for k in kept], [boxes[k] for k in kept]


def bags(words, care):
    told = Counter(composed(part.upper()) for word in words for part in word.get("text", "").split())
    true = Counter(composed(part.upper()) for item in care for part in item["text"].split())
    return Counter(bag_hits=(told & true).total(), bag_told=told.total(), bag_true=true.total())


def matches(words, boxes, care):
    matched = pairs(boxes, [Box(item["poly"]) for item in care])
    count = Counter(box_hits=len(matched), box_told=len(words), box_true=len(care))
    texts = [(composed(words[i].get("text", "")), composed(care[j]["text"])) for i, j in matched]
    count["word_hits"] = sum(told != "" and bare(told) == bare(true) for told, true in texts)
    count["edits"] = sum(edits(told, true) for told, true in texts)
    count["length"] = sum(len(true) for _, true in texts)
    return count


def letters(told, boxes, care):
    true = [each for item in care for each in item.get("chars", []) if each["c"].strip()]
    if not true:
        return Counter()
    # A set may give four corners instead of a level box, for text that is turned.
    true_boxes = [Box(each["poly"]) if "poly" in each else Box.level(*each["box"]) for each in true]
    matched = pairs(boxes, true_boxes)
    right = sum(
        composed(told[i].get("text", "").casefold()) == composed(true[j]["c"].casefold()) for i, j in matched
    )
    return Counter(letter_box_hits=len(matched), letter_hits=right, letter_told=len(told), letter_true=len(true))


def figures(count, reads=True):
    """The figures by name, as the head of this file says; those that mean nothing here are left out."""

    def share(part, whole):
        return count[part] / count[whole] if count[whole] else 0.0

    def f(hits, kind):
        both = count[f"{kind}_told"] + count[f"{kind}_true"]
        return 2 * count[hits] / both if both else 0.0

    named = {}
    if count["box_true"]:
        named["det_f"] = f("box_hits", "box")
        named["det_p"], named["det_r"] = share("box_hits", "box_told"), share("box_hits", "box_true")
    if reads and count["box_true"]:
        named["e2e_f"] = f("word_hits", "box")
    if reads and count["bag_true"]:
        named["bow_f"] = f("bag_hits", "bag")
    if count["letter_true"]:
        named["char_box_f"] = f("letter_box_hits", "letter")
        if reads:
            named["char_f"] = f("letter_hits", "letter")
    if reads and count["length"]:
        named["cer"] = share("edits", "length")
    return named


def interval(tallies, name, resamples=1000):
    """Between what bounds a figure lies in 95 % of the sets that could have been drawn instead (bootstrap over
    pictures)."""
    draw = random.Random(1)
    values = []
    for _ in range(resamples):
        total = Counter()
        for count in draw.choices(tallies, k=len(tallies)):
            for key, value in count.items():
                total[key] += value
        values.append(figures(total).get(name, 0.0))
    values.sort()
    return values[round(0.025 * resamples)], values[round(0.975 * resamples) - 1]

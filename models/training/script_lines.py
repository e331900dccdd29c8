"""Typesets lines of text in many scripts, and what is no text, by chance."""

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np
from babel import Locale

from lines import HEIGHT, MARGIN, WIDTHS, Lines, Texts, faces

#: What lines show of no script that is known: digits and signs, text upside down, textures, icons.
NONE = "Zyyy"
#: Scripts that are known to be text, and not told apart.
OTHER = "Zzzz"
#: The languages in which each script is typeset, by CLDR's codes. Their names of places, languages, days and units are the words.
LANGUAGES = {
    "Latn": "en de fr es pt it nl pl cs sk hu tr vi ro fi sv da is et lt lv hr sl sq az id sw cy eu ga mt".split(),
    "Grek": ["el"],
    "Cyrl": "ru uk be bg sr mk kk ky mn".split(),
    "Hani": ["zh", "zh_Hant"],
    "Jpan": ["ja"],
    "Hang": ["ko"],
    "Arab": "ar fa ur".split(),
    "Hebr": ["he"],
    "Deva": "hi mr ne".split(),
    "Beng": ["bn", "as"],
    "Taml": ["ta"],
    "Telu": ["te"],
    "Thai": ["th"],
    "Geor": ["ka"],
    "Armn": ["hy"],
    OTHER: "gu kn ml pa si lo my km am".split(),
}
#: Fontconfig's names of languages where they are others.
FONTCONFIG = {"zh": "zh-cn", "zh_Hant": "zh-tw", "mn": "mn-mn"}
#: Scripts that are written without spaces.
UNSPACED = ("Hani", "Jpan", "Thai")
#: Scripts whose letters stand by themselves.
SEPARATE = ("Latn", "Grek", "Cyrl", "Hani", "Jpan", "Hang", "Hebr", "Geor", "Armn", NONE)
#: Scripts with capitals.
CASED = ("Latn", "Grek", "Cyrl", "Armn")
BLOCKS = {
    "Latn": [(0x41, 0x24F), (0x1E00, 0x1EFF)],
    "Grek": [(0x370, 0x3FF)],
    "Cyrl": [(0x400, 0x52F)],
    "Hani": [(0x4E00, 0x9FFF)],
    "Jpan": [(0x3041, 0x30FF), (0x4E00, 0x9FFF)],
    "Hang": [(0xAC00, 0xD7FF)],
    "Arab": [(0x600, 0x6FF)],
    "Hebr": [(0x590, 0x5FF)],
    "Deva": [(0x900, 0x97F)],
    "Beng": [(0x980, 0x9FF)],
    "Taml": [(0xB80, 0xBFF)],
    "Telu": [(0xC00, 0xC7F)],
    "Thai": [(0xE00, 0xE7F)],
    "Geor": [(0x10A0, 0x10FF)],
    "Armn": [(0x530, 0x58F)],
    OTHER: [(0xA00, 0xAFF), (0xC80, 0xDFF), (0xE80, 0xEFF), (0x1000, 0x109F), (0x1200, 0x137F), (0x1780, 0x17FF)],
}


def texts(table):
    """The texts in a table of CLDR, at all depths."""
    for value in table.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from texts(value)


@cache
def names(language, script):
    """CLDR's names in a language that are written in a script alone."""
    locale = Locale.parse(language)
    tables = (
        locale.territories, locale.languages, locale.scripts, locale.currencies, locale.variants, locale.days, locale.months,
        locale.quarters, locale.eras, locale.day_periods,
    )  # fmt: skip
    found = {name for table in tables for name in texts(table)}
    found.update(zone["city"] for zone in locale.time_zones.values() if "city" in zone)
    blocks = BLOCKS[script]

    def is_written(name):
        letters = [ord(letter) for letter in name if letter.isalpha()]
        return letters and all(any(first <= code <= last for first, last in blocks) for code in letters)

    return sorted(name for name in found if is_written(name))


class ScriptTexts:
    """What is written in a script."""

    def __init__(self, chance, alphabet):
        self.chance = chance
        self.plain = Texts(chance, alphabet)
        self.script = "Latn"

    def line(self):
        """A text in the script, and the language that its typeface must have."""
        chance = self.chance
        if self.script == NONE:
            return " ".join(self.signs() for _ in range(chance.choice([1, 1, 2, 3, 5]))), "en"
        if self.script == "Latn" and chance.random() < 0.55:
            return " ".join(self.plain.word() for _ in range(chance.choice([1, 1, 2, 3, 4, 6]))), "en"
        language = chance.choice(LANGUAGES[self.script])
        known = names(language, self.script)
        words = []
        for _ in range(chance.choice([1, 1, 1, 2, 3])):
            words += chance.choice(known).split()
        if chance.random() < 0.4:
            words = words[: chance.randint(1, 3)]
        if self.script in UNSPACED and chance.random() < 0.8:
            text = "".join(words)
            if self.script == "Hani" and chance.random() < 0.6:
                text = self.plain.some(self.plain.han_only, 12)
            words = [text[: chance.randint(2, 18)]]
        case = chance.random() if self.script in CASED else 1
        if case < 0.25:
            words = [word.upper() for word in words]
        elif case < 0.35:
            words = [word.capitalize() for word in words]
        if chance.random() < 0.15:
            words.insert(chance.randint(0, len(words)), self.signs())
        if len(words) > 2 and chance.random() < 0.12:
            words.insert(chance.randint(0, len(words)), chance.choice(self.plain.words))
        text = " ".join(words)
        if chance.random() < 0.08:
            text += chance.choice(".,:;!?-)")
        return text, language

    def signs(self):
        """A number, a date, a price or some signs."""
        for _ in range(100):
            word = self.plain.word()
            if not any(letter.isalpha() for letter in word):
                return word
        return "0"


class ScriptLines(Lines):
    """Pictures of lines of a script, 48 pixels high, by chance."""

    def __init__(self, seed, alphabet):
        super().__init__(seed, alphabet)
        self.texts = ScriptTexts(self.chance, alphabet)
        self.texts.plain.han_only = [each for each in self.texts.plain.han if each >= "\u4e00"]
        languages = {language for each in LANGUAGES.values() for language in each}
        self.faces = {language: faces(FONTCONFIG.get(language, language)) for language in languages}
        self.faces = {language: found for language, found in self.faces.items() if found}

    def is_spaced(self, language):
        """Whether letters may stand apart."""
        return self.texts.script in SEPARATE

    def line(self, script):
        """A line of a script, or of none, with the margin of its input; and its width."""
        self.texts.script = script
        kind = self.chance.random()
        if script == NONE and kind < 0.35:
            page = self.texture()
        elif script == NONE and kind < 0.65:
            self.texts.script = self.chance.choice(["Latn"] * 12 + [each for each in LANGUAGES if each != "Latn"])
            page = self.page()[::-1, ::-1]
        else:
            page = self.page()
        width = next(each for each in WIDTHS if each >= page.shape[1])
        full = np.full((HEIGHT, width, 3), MARGIN, np.uint8)
        full[:, : page.shape[1]] = page
        return full, page.shape[1]

    def page(self):
        """A line before its margin."""
        while True:
            page = self.picture()
            if page is not None:
                return page

    def texture(self):
        """A texture, a pattern or some icons."""
        chance, noise = self.chance, self.noise
        width = chance.randint(24, 400)
        ground, colour = self.colours((HEIGHT, width))
        cover = np.zeros((HEIGHT, width), np.float32)
        kind = chance.choice(["stripes", "grain", "shapes", "lattice", "strokes"])
        if kind == "stripes":
            angle, period = chance.uniform(0, np.pi), chance.uniform(3, 30)
            rows, columns = np.mgrid[:HEIGHT, :width]
            wave = np.sin((rows * np.sin(angle) + columns * np.cos(angle)) * 2 * np.pi / period)
            cover = np.clip(wave * chance.uniform(0.6, 8) + chance.uniform(-0.5, 0.5), 0, 1).astype(np.float32)
        elif kind == "grain":
            spots = (chance.randint(3, 24), max(2, width // chance.randint(2, 24)))
            cover = cv2.resize(noise.normal(0, 1, spots).astype(np.float32), (width, HEIGHT), interpolation=cv2.INTER_CUBIC)
            cover = np.clip(cover * chance.uniform(0.5, 4), 0, 1)
        elif kind == "lattice":
            step = chance.randint(4, 24)
            cover[:: chance.randint(4, 24)] = 1
            cover[:, ::step] = 1
        else:
            for _ in range(chance.randint(1, 3 + width // 16)):
                centre = (chance.randint(0, width), chance.randint(4, HEIGHT - 4))
                other = (chance.randint(0, width), chance.randint(0, HEIGHT))
                thickness = chance.choice([-1, 1, 2, 3, 4])
                shape = "line" if kind == "strokes" else chance.choice(["circle", "box", "ellipse", "polygon"])
                if shape == "line":
                    cv2.line(cover, centre, other, 1, abs(thickness))
                elif shape == "circle":
                    cv2.circle(cover, centre, chance.randint(3, 22), 1, thickness)
                elif shape == "box":
                    cv2.rectangle(cover, centre, other, 1, thickness)
                elif shape == "ellipse":
                    axes = (chance.randint(3, 30), chance.randint(3, 20))
                    cv2.ellipse(cover, centre, axes, chance.randint(0, 180), 0, chance.randint(90, 360), 1, thickness)
                else:
                    spread = noise.integers(-20, 20, (chance.randint(3, 6), 2))
                    cv2.polylines(cover, [np.array(centre) + spread], True, 1, abs(thickness))
        page = ground + (colour - ground) * cover[..., None]
        return np.clip(self.spoil(page.astype(np.float32), 1) + 0.5, 0, 255).astype(np.uint8)

"""Words to typeset, so that every letter of every picture is known."""

WORDS = """
about across after again along amber anchor answer april arrow autumn bakery balance barrel basket before
bench between bicycle blanket border bottle branch bread bridge bright bronze button cabinet camera candle canvas
captain carbon castle centre chapter cheese cherry circle coffee colour copper corner cotton counter country credit
crystal current curtain damage daylight deliver distance doctor double driver early eastern editor eleven engine
evening express fabric factory family feather fifteen figure finger flower folder forest fountain freight frozen
garden gather gentle glass golden granite grocery guitar harbour harvest height hollow honey hotel hundred island
jacket journey juice jungle kettle kitchen ladder lantern leather lemon letter library light linen little locker
longer machine manual maple marble market meadow measure member middle minute mirror modern morning mountain museum
music narrow needle nickel number office onion orange orchard oxygen oyster packet palace paper parcel pencil pepper
picture planet pocket police powder present project quarter quartz question quick quiet rabbit railway rapid ready
record regular repair report return river rocket round sample school season second shadow signal silver simple single
smooth socket spring square station steady storage street studio summer sunset supply switch table teapot theatre
thunder ticket timber together tower travel treaty tunnel twenty valley vessel village violet volume waiter walnut
water weather weekly welcome western window winter wonder wooden yellow yesterday zebra zone
""".split()
SMALL = """
a an and are as at be but by for from has in into is it its near no not of on or over so than that the their this to
up was we with you
""".split()
NAMES = """
Aachen Bergström Córdoba Düsseldorf Elena Façade Geneva Hauser Ibáñez Jönköping Kovač López Müller Núñez Orléans
Périgord Québec Reykjavík Søren Tübingen Ulrich Växjö Winter Zoë
""".split()


class Writer:
    """Writes text that means nothing, by chance."""

    def __init__(self, rng):
        self.rng = rng

    def pick(self, things):
        return things[int(self.rng.integers(len(things)))]

    def word(self):
        return self.pick(WORDS)

    def number(self):
        """A number as it is met in the wild: a price, a date, a time, a code."""
        n = self.rng.integers
        forms = [
            lambda: f"{n(1, 999)}",
            lambda: f"{n(1, 99)}.{n(0, 100):02d}",
            lambda: f"${n(1, 999)}.{n(0, 100):02d}",
            lambda: f"{n(0, 24):02d}:{n(0, 60):02d}",
            lambda: f"{n(1, 29):02d}/{n(1, 13):02d}/{n(1980, 2030)}",
            lambda: f"{self.pick('ABDEFGHKLMNPRT')}{n(1, 99)}-{n(100, 9999)}",
            lambda: f"{n(1, 101)}%",
            lambda: f"{n(1, 20)},{n(0, 1000):03d}",
        ]
        return self.pick(forms)()

    def sentence(self):
        """Some words, with a capital and a full stop."""
        words = []
        for _ in range(int(self.rng.integers(6, 15))):
            chance = self.rng.random()
            word = self.pick(SMALL) if chance < 0.38 else self.word()
            if chance > 0.95:
                word = self.number()
            elif chance > 0.9:
                word = self.pick(NAMES)
            words.append(word + ("," if self.rng.random() < 0.07 else ""))
        text = " ".join(words).rstrip(",")
        return text[0].upper() + text[1:] + self.pick("....?!")

    def paragraph(self, sentences):
        return " ".join(self.sentence() for _ in range(sentences))

    def title(self, words):
        return " ".join(self.word().capitalize() for _ in range(words))

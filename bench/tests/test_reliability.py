"""What docs/log/reliability.md names is there: a test that was renamed would prove nothing any more."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class ReliabilityTests(unittest.TestCase):
    def test_every_named_test_exists(self):
        page = (ROOT / "docs/log/reliability.md").read_text()
        table = re.search(r"\n## Faults\n(.*?)\n## ", page, re.DOTALL)[1]
        proofs = [row.split("|")[-2] for row in table.splitlines() if row.startswith("| ")][1:]
        sources = "\n".join(path.read_text() for path in (ROOT / "Tests").glob("*Tests/**/*.swift"))
        functions = set(re.findall(r"func (\w+)\(", sources))
        targets = {path.name for path in (ROOT / "Tests/Fuzz/Corpus").iterdir()}
        long = {path.stem for path in (ROOT / "Tests/Soak/rig").glob("*.py")}
        self.assertGreater(len(proofs), 25)
        for proof in proofs:
            with self.subTest(proof=proof):
                tests, _, rest = proof.partition("fuzz ")
                named = re.findall(r"`(\w+)`", tests)
                fuzzed, soaked = re.findall(r"`(\w+)`", rest), re.findall(r"\*(\w+)\*", proof)
                self.assertTrue(named or fuzzed or soaked)
                self.assertLessEqual(set(named), functions)
                self.assertLessEqual(set(fuzzed), targets)
                self.assertLessEqual(set(soaked), long)


if __name__ == "__main__":
    unittest.main()

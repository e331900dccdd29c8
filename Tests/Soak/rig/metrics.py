"""What a server's /metrics counts."""

import asyncio
import re
import urllib.request


class Metrics:
    """The samples of one moment."""

    def __init__(self, text):
        self._samples = re.findall(r"^(\w+)(\{.*\})? (\S+)$", text, re.MULTILINE)

    @classmethod
    async def of(cls, url):
        def get():
            with urllib.request.urlopen(f"{url}/metrics", timeout=30) as response:
                return response.read().decode()

        return cls(await asyncio.to_thread(get))

    def total(self, name, label=""):
        """The sum of the samples of a name, of those with a label if one is given."""
        return sum(float(value) for each, labels, value in self._samples if each == name and label in labels)

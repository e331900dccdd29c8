"""The container image runs as its configuration says."""

import json
import os
import pathlib
import subprocess
import tarfile
import unittest

from debian import Debian, Server

IMAGES = list(pathlib.Path(os.environ["PACKAGES"]).glob("glyphwire-*-image-*.tar.gz"))


class Image(Debian):
    """The layers of an image, one over the other."""

    def __init__(self, archive, bare):
        with tarfile.open(archive) as image:
            (entry,) = json.load(image.extractfile("manifest.json"))
            self.config = json.load(image.extractfile(entry["Config"]))["config"]
            for layer in entry["Layers"]:
                subprocess.run(["tar", "-x", "-C", bare], input=image.extractfile(layer).read(), check=True)
        super().__init__("image", bare)


@unittest.skipUnless(IMAGES, "there is no container image")
class ContainerImage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        bare = pathlib.Path(os.environ["BARE_DEBIAN"]).with_name("layers")
        bare.mkdir()
        cls.image = Image(IMAGES[0], bare)

    def test_the_server_starts_as_an_account_without_rights_and_takes_a_token(self):
        config = self.image.config
        self.assertEqual(config["User"], "7411")
        token = self.image.path("/run/secrets/glyphwire-token")
        token.parent.mkdir()
        token.write_text("a token for the test")
        # Any ports, since the image has those of the machine that it runs on.
        words = [word.replace(":7412", ":0") for word in config["Entrypoint"] + config["Cmd"]]
        environment = [*config["Env"], "GLYPHWIRE_PORT=0"]
        with Server(self.image, words, user=config["User"], environment=environment) as server:
            replay = ["glyphwire-replay", "run", "/tmp/session.gws", "--until", "1", "--port", server.port]
            self.image.run(*replay, "--token-file", "/run/secrets/glyphwire-token", environment=environment)
            self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    unittest.main()

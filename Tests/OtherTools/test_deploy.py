"""What deploy/ hands to containers and clusters is what these take, and what the program takes."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import kubernetes_validate
import yaml
from glyphwire_program import PROGRAM, ROOT

DEPLOY = ROOT / "deploy"
NAME = {"app.kubernetes.io/name": "glyphwire"}


def document(path):
    return yaml.safe_load((DEPLOY / path).read_text())


class Deploy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        names = document("kubernetes/kustomization.yaml")["resources"]
        cls.resources = {resource["kind"]: resource for resource in (document(f"kubernetes/{name}") for name in names)}
        command = [PROGRAM, "serve", "--help"]
        cls.help = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout

    def test_kubernetes_resources_are_valid_by_its_schema(self):
        version = kubernetes_validate.latest_version()
        for resource in self.resources.values():
            kubernetes_validate.validate(resource, version, strict=True)

    def test_every_resource_is_applied(self):
        files = {path.name for path in (DEPLOY / "kubernetes").glob("*.yaml")}
        self.assertEqual(files - {"kustomization.yaml"}, set(document("kubernetes/kustomization.yaml")["resources"]))

    def test_kubernetes_resources_find_each_other(self):
        deployment, service = self.resources["Deployment"], self.resources["Service"]
        pod = deployment["spec"]["template"]
        self.assertEqual(pod["metadata"]["labels"], NAME)
        self.assertEqual(deployment["spec"]["selector"], {"matchLabels": NAME})
        self.assertEqual(service["spec"]["selector"], NAME)
        self.assertEqual(self.resources["PodDisruptionBudget"]["spec"]["selector"], {"matchLabels": NAME})
        target = self.resources["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
        self.assertEqual((target["kind"], target["name"]), ("Deployment", deployment["metadata"]["name"]))
        (container,) = pod["spec"]["containers"]
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        self.assertIn(service["spec"]["ports"][0]["targetPort"], ports)
        self.assertEqual({probe["port"] for probe in self.probes(deployment)}, {"http"})
        (job,) = document("prometheus/kubernetes.yml")["scrape_configs"]
        (discovery,) = job["kubernetes_sd_configs"]
        self.assertEqual(discovery["selectors"], [{"role": "pod", "label": "=".join(*NAME.items())}])
        # An annotation would have Prometheus ask without the token that the server wants.
        self.assertIn("credentials_file", job["authorization"])
        self.assertNotIn("annotations", pod["metadata"])

    @staticmethod
    def probes(deployment):
        (container,) = deployment["spec"]["template"]["spec"]["containers"]
        return [container[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")]

    def test_probes_use_https_where_the_server_has_a_certificate(self):
        text = (DEPLOY / "kubernetes/deployment.yaml").read_text().replace("#scheme: HTTPS", "scheme: HTTPS")
        deployment = yaml.safe_load(text)
        kubernetes_validate.validate(deployment, kubernetes_validate.latest_version(), strict=True)
        self.assertEqual([probe["scheme"] for probe in self.probes(deployment)], ["HTTPS"] * 3)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd is not installed")
    def test_systemd_takes_the_units_and_the_options_that_they_suggest(self):
        with tempfile.TemporaryDirectory() as folder:
            units = [pathlib.Path(folder, name) for name in ("glyphwire.service", "glyphwire-watch.service")]
            for unit in units:
                unit.write_text((DEPLOY / unit.name).read_text().replace("/usr/bin/glyphwire", str(PROGRAM)))
            (suggested,) = re.findall(r'^#     (Environment=.*)$', units[1].read_text(), re.M)
            self.assertIn("%%40", suggested)
            pathlib.Path(folder, "glyphwire-watch.service.d").mkdir()
            pathlib.Path(folder, "glyphwire-watch.service.d/override.conf").write_text(f"[Service]\n{suggested}\n")
            command = ["systemd-analyze", "verify", "--man=no", *units]
            verified = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual((verified.returncode, verified.stdout), (0, ""))

    def test_services_that_a_signal_has_ended_are_started_again(self):
        # systemd takes the default of SIGHUP for a wanted end.
        self.assertIn("\nRestart=always\n", (DEPLOY / "glyphwire.service").read_text())
        self.assertIn("\nRestartForceExitStatus=SIGHUP\n", (DEPLOY / "glyphwire-watch.service").read_text())

    def test_the_compose_file_is_valid_by_its_schema(self):
        command = ["-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml"]
        checked = subprocess.run([sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_what_the_container_is_made_of_is_there(self):
        text = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
        sources = [name for line in re.findall(r"^COPY (?!--)(.*) \S+$", text, re.M) for name in line.split()]
        self.assertGreater(len(sources), 4)
        for name in sources:
            self.assertTrue((ROOT / name).exists(), name)

    def test_the_program_knows_the_options_that_it_is_started_with(self):
        files = [DEPLOY / name for name in ("Containerfile", "glyphwire.service", "kubernetes/deployment.yaml")]
        starts = [line for path in files for line in re.findall(r"^(?:CMD|ExecStart=| +args:).*", path.read_text(), re.M)]
        self.assertEqual(len(starts), len(files))
        for option in re.findall(r"--[a-z-]+", " ".join(starts)):
            self.assertIn(option, self.help)
        (pod,) = self.resources["Deployment"]["spec"]["template"]["spec"]["containers"]
        for variable in pod["env"]:
            option = "--" + variable["name"].removeprefix("GLYPHWIRE_").lower().replace("_", "-")
            self.assertIn(option, self.help)


if __name__ == "__main__":
    unittest.main()

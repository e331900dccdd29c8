"""What a real Prometheus makes of a real server, of the alert rules and of the dashboard."""

import json
import os
import re
import shutil
import subprocess
import unittest
import urllib.parse

from running import ROOT, connect, folder, free_port, get, lines, messages, running, server, wait_for

DEPLOY = os.path.join(ROOT, "deploy/prometheus")
DASHBOARD = os.path.join(ROOT, "deploy/grafana/glyphwire.json")


def promtool(*arguments, **options):
    return subprocess.run(["promtool", *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def listens(address):
    try:
        return get(f"http://{address}/-/ready")
    except OSError:
        return None


@unittest.skipUnless(shutil.which("promtool"), "Debian's package prometheus is not installed")
class PrometheusTests(unittest.TestCase):
    def test_rules_and_configuration_are_sound(self):
        for arguments in (
            ["check", "rules", "glyphwire.rules.yml"],
            ["test", "rules", "glyphwire.test.yml"],
            ["check", "config", "prometheus.yml"],
        ):
            checked = promtool(*arguments, cwd=DEPLOY)
            self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_the_configuration_for_a_cluster_is_sound_but_for_the_discovery_that_debian_leaves_out(self):
        with open(os.path.join(DEPLOY, "kubernetes.yml")) as file:
            text, count = re.subn(r"kubernetes_sd_configs:\n( {6}.*\n)+", "static_configs: []\n", file.read())
        self.assertEqual(count, 1)
        with folder() as home:
            shutil.copy(os.path.join(DEPLOY, "glyphwire.rules.yml"), home)
            with open(os.path.join(home, "kubernetes.yml"), "w") as file:
                file.write(text)
            # The files that it names are those of a pod.
            checked = promtool("check", "config", "--syntax-only", "kubernetes.yml", cwd=home)
            self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_a_prometheus_counts_what_the_server_answered(self):
        with server("--workers", "2") as glyphwire, folder() as home:
            with connect(glyphwire) as client:
                sent = list(messages(os.path.join(ROOT, "Tests/Vectors/201-orientation-1.bin")))
                client.sendall(b"".join(sent))
                results = [line for line in lines(client, 1 + len(sent)) if line["type"] == "result"]
                page = get(glyphwire.http + "metrics")
            checked = promtool("check", "metrics", input=page)
            self.assertEqual((checked.returncode, checked.stdout), (0, ""))

            address = glyphwire.http.removeprefix("http://").rstrip("/")
            with open(os.path.join(DEPLOY, "prometheus.yml")) as file:
                configuration = file.read().replace("127.0.0.1:7412", address).replace("15s", "1s")
            shutil.copy(os.path.join(DEPLOY, "glyphwire.rules.yml"), home)
            with open(os.path.join(home, "prometheus.yml"), "w") as file:
                file.write(configuration)
            listen = f"127.0.0.1:{free_port()}"
            command = [
                "prometheus", f"--config.file={home}/prometheus.yml", f"--storage.tsdb.path={home}/data",
                f"--web.listen-address={listen}", "--log.level=error",
            ]
            with running(command):
                def query(expression):
                    # An expression that is wrong is answered by an error, which ends the test.
                    answer = get(f"http://{listen}/api/v1/query?" + urllib.parse.urlencode({"query": expression}))
                    return json.loads(answer)["data"]["result"]

                wait_for("Prometheus", lambda: listens(listen))
                wait_for("a scrape", lambda: query('up{job="glyphwire"} == 1'))
                wait_for("the frames", lambda: query("sum(glyphwire_frames_total) > 0"))
                frames = query('sum(glyphwire_frames_total{status="ok"})')[0]["value"][1]
                self.assertEqual(int(frames), len(results))
                detected = float(query('glyphwire_frame_stage_seconds_sum{stage="detect"}')[0]["value"][1])
                told = sum(result["timings_us"]["detect"] for result in results) / 1e6
                self.assertAlmostEqual(detected, told, places=6)
                names = set(json.loads(get(f"http://{listen}/api/v1/label/__name__/values"))["data"])
                for expression in self.expressions():
                    for name, value in (("$instance", ".*"), ("$__rate_interval", "1m")):
                        expression = expression.replace(name, value)
                    query(expression)
                for name in self.asked_for():
                    known = names | self.recorded_by_prometheus | self.recorded_with_tls
                    self.assertIn(name, known, "a rule or the dashboard asks for it")

    recorded_by_prometheus = {"up"}
    #: Tests/OtherTools/test_self_signed.py reads it from a server with a certificate.
    recorded_with_tls = {"glyphwire_tls_certificate_expiry_seconds"}

    def expressions(self):
        """What the dashboard asks for."""
        with open(DASHBOARD) as file:
            return [target["expr"] for panel in json.load(file)["panels"] for target in panel["targets"]]

    def asked_for(self):
        """The metrics that the rules and the dashboard ask for."""
        with open(os.path.join(DEPLOY, "glyphwire.rules.yml")) as file:
            rules = re.findall(r"expr: (.*(?:\n {10,}.*)*)", file.read())
        names = set(re.findall(r"\b(?:glyphwire|process)_[a-z_]+\b|\bup\b", "\n".join(rules + self.expressions())))
        self.assertGreater(len(names), 15)
        return names


if __name__ == "__main__":
    unittest.main()

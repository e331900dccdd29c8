import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { promisify } from "node:util";
import { hello, ok, stub } from "./stub.js";

const run = promisify(execFile);
const command = new URL("../bin/glyphwire-client.js", import.meta.url).pathname;

test("the command has every picture read where the server has a choice", async (t) => {
  const bodies = [];
  const script = (features) => async (peer) => {
    await peer.send({ ...hello, features });
    for (let message; (message = await peer.message()); ) {
      const { type, sequence, payload } = message;
      if (type === 1) await peer.send(ok(sequence));
      if (type === 2) bodies.push(JSON.parse(payload));
      if (type === 2) await peer.send({ type: "configured", sequence, options: {} });
      if (type === 4) return peer.end({ type: "end", sequence, frames: 1 });
    }
  };
  const { port } = await stub(t, script(["stats"]), script(["stats", "delivery"]));
  const folder = await mkdtemp(`${tmpdir()}/glyphwire-`);
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(`${folder}/token`, "open sesame\n");
  const options = ["--host", "127.0.0.1", "--port", String(port), "--level", "accurate", "--token-file", `${folder}/token`];
  await run(command, [...options, command]);
  const own = { characters: false, level: "accurate", token: "open sesame" };
  assert.deepEqual(bodies.splice(0), [own]);
  await run(command, [...options, command]);
  assert.deepEqual(bodies, [own, { ...own, delivery: "every" }]);
});

test("the command waits for a server that is not there yet", async (t) => {
  const late = await stub(t, (peer) => peer.end(), (peer) => peer.end(), (peer) => peer.serve());
  const { stderr, stdout } = await run(command, ["--host", "127.0.0.1", "--port", String(late.port), "--json", command]);
  assert.equal(stderr.split("waiting for the server").length, 2);
  assert.equal(JSON.parse(stdout).status, "ok");
  const gone = await stub(t, (peer) => peer.end());
  const hasty = run(command, ["--host", "127.0.0.1", "--port", String(gone.port), "--no-wait", command]);
  await assert.rejects(hasty, ({ code, stderr }) => code === 1 && !stderr.includes("waiting"));
});

test("the command prints only matches where something is sought", async (t) => {
  const match = { pattern: 0, text: "EXIT", line: 0, words: [0], box: [0, 0, 1, 0, 1, 1, 0, 1] };
  for (const matches of [[match], []]) {
    const { port } = await stub(t, (peer) => peer.serve({ result: ({ sequence }) => ok(sequence, { matches }) }));
    const options = ["--host", "127.0.0.1", "--port", String(port), "--find", "exit", "--option", "languages=[\"en\"]"];
    const running = run(command, [...options, command]);
    if (matches.length > 0) assert.equal((await running).stdout, `${command}\tEXIT\n`);
    else await assert.rejects(running, ({ code, stdout }) => code === 1 && stdout === "");
  }
});

test("the command tells what became of a picture that was not read", async (t) => {
  const dropped = ({ sequence }) => ok(sequence, { status: "dropped", reason: "superseded", by: 2 });
  const { port } = await stub(t, (peer) => peer.serve({ result: dropped }));
  const running = run(command, ["--host", "127.0.0.1", "--port", String(port), command]);
  await assert.rejects(running, ({ code, stderr }) => code === 1 && stderr === `${command}: dropped\n`);
});

test("what was sent is printed, though another picture cannot be read", async (t) => {
  const { port } = await stub(t, async (peer) => {
    await peer.send(hello);
    const frames = [];
    for (let message; (message = await peer.message()); ) {
      const { type, sequence } = message;
      if (type === 1) frames.push(sequence);
      if (type === 2) await peer.send({ type: "configured", sequence, options: {} });
      if (type !== 4) continue;
      // Nothing is answered before the stream has ended.
      for (const frame of frames) await peer.send(ok(frame));
      return peer.end({ type: "end", sequence, frames: frames.length });
    }
  });
  const options = ["--host", "127.0.0.1", "--port", String(port), "--json"];
  const running = run(command, [...options, command, command, "absent.jpg"]);
  await assert.rejects(running, ({ code, stdout, stderr }) => {
    const sequences = stdout.trimEnd().split("\n").map((line) => JSON.parse(line).sequence);
    assert.deepEqual([code, sequences], [1, [0, 1]]);
    return stderr.includes("absent.jpg");
  });
});

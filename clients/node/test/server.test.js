import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { promisify } from "node:util";
import { GlyphwireError, Orientation, connect } from "glyphwire";
import { noServer, repository, startServer } from "./server.js";

const run = promisify(execFile);
const folder = new URL("..", import.meta.url);
const skip = noServer;

async function temporaryFolder(t) {
  const path = await mkdtemp(`${tmpdir()}/glyphwire-`);
  t.after(() => rm(path, { recursive: true }));
  return path;
}

test("every option is taken, and what it asks for is told", { skip }, async (t) => {
  const { host, port } = await startServer(t);
  const options = {
    client: "the tests",
    level: "fast",
    recognize: true,
    characters: false,
    coordinates: "upright",
    minimumTextHeight: 0.01,
    regionOfInterest: [0, 0, 1, 1],
    upright: "auto",
    languages: ["en"],
    customWords: ["Ferry"],
    characterSet: "A-Za-z0-9-",
    languageCorrection: false,
    report: "all",
    unreadable: "omit",
    damaged: "read",
    candidates: 3,
    delivery: "every",
    deadline_ms: 60000,
    clock_offset_us: 0,
    temporal: true,
    refresh_ms: 1000,
    regions: [{ name: "sign", regionOfInterest: [0, 0, 1, 1], find: [], characterSet: "", minimumTextHeight: 0 }],
    find: ["ferry", "/\\d+-\\d+/"],
  };
  const connection = await connect({ host, port });
  const { options: inForce, window } = await connection.configure(options);
  assert.deepEqual(inForce, options);
  assert.ok(window >= 1);
  // Its own tag says that it lies; the header says that it does not, and the server finds out.
  const frame = { payload: await readFile(`${repository}demo/sign.jpg`), orientation: "up", capturedUs: Date.now() * 1000 };
  for (let i = 0; i < 2; i++) await connection.send(frame);
  await connection.finish();
  const results = [];
  for await (const result of connection.results()) results.push(result);
  const [first, second] = results;
  assert.deepEqual(first.matches.map(({ text }) => text), ["27-41", "Ferry"]);
  const { line, words } = first.matches[1];
  assert.equal(first.lines[line].region, "sign");
  assert.equal(first.lines[line].words[words[0]].text, "Ferry");
  assert.ok(first.lines.every(({ scores, candidates, state }) => scores.recognition && candidates && state === "new"));
  assert.deepEqual([...new Set(first.lines.map(({ script }) => script))], ["Latn", undefined]);
  assert.ok(second.reused && second.lines.every(({ state }) => state === "kept"));
  const ids = ({ lines }) => lines.flatMap((line) => line.words.map(({ id }) => id));
  assert.deepEqual(ids(second), ids(first));
  assert.deepEqual([first.orientation, first.coordinates, first.reused], [Orientation.left, "upright", undefined]);
  assert.ok(first.age_ms >= 0);
});

test("a token opens a server that asks for one", { skip }, async (t) => {
  const secrets = await temporaryFolder(t);
  await writeFile(`${secrets}/token`, "open sesame\n");
  const server = await startServer(t, { options: ["--token-file", `${secrets}/token`] });
  const refused = (wireCode) => (error) => error instanceof GlyphwireError && error.wireCode === wireCode;
  await assert.rejects(connect({ ...server, options: { token: "guess" } }), refused("auth_failed"));
  await assert.rejects(connect({ ...server, options: {} }), refused("auth_required"));
  const connection = await connect({ ...server, options: { token: "open sesame" } });
  assert.equal(connection.hello.auth, "token");
  assert.equal((await connection.ping(7)).captured_us, 7);
  assert.equal((await connection.stats()).connection.frames.ok, 0);
  assert.equal((await connection.finish()).frames, 0);
});

test("the example of the README prints what stands in a picture, or why it was not read", { skip }, async (t) => {
  const server = await startServer(t);
  const readme = await readFile(new URL("README.md", folder), "utf8");
  const [, example] = /```js\n(.*?)```/s.exec(readme);
  const printed = async (picture) => {
    const here = example.replace('"photo.jpg"', JSON.stringify(repository + picture));
    assert.notEqual(here, example);
    const code = here.replace("connect({", `connect({ port: ${server.port},`);
    assert.notEqual(code, here);
    return (await run(process.execPath, ["--input-type=module", "--eval", code], { cwd: folder })).stdout;
  };
  assert.match(await printed("demo/sign.jpg"), /WUTONGLI STREET\n27-41\nOld Ferry Pier/);
  assert.match(await printed("bench/quick/graphics/images/00.png"), /^the payload is a PNG file; send a JPEG/);
});

test("the command prints the words of pictures, and what became of those without", { skip }, async (t) => {
  const server = await startServer(t);
  const command = new URL("bin/glyphwire-client.js", folder).pathname;
  const port = ["--port", server.port];
  const sign = `${repository}demo/sign.jpg`;
  const { stdout } = await run(command, [...port, sign, sign, sign]);
  assert.deepEqual(
    stdout.split("\n").filter((line) => line.includes("27-41")),
    Array(3).fill(`${sign}\t27-41`),
  );
  const json = await run(command, [...port, "--json", sign]);
  assert.equal(JSON.parse(json.stdout).status, "ok");
  const failed = (code, message) => (error) => error.code === code && message.test(error.stderr);
  await assert.rejects(run(command, [...port, command]), failed(1, /is text; send a JPEG/));
  await assert.rejects(run(command, [...port, "--level", "turbo", sign]), failed(1, /"turbo"/));
  await assert.rejects(run(command, [...port, "absent.jpg"]), failed(1, /absent\.jpg/));
  await assert.rejects(run(command, ["--port", "0x1", sign]), failed(2, /1 to 65535, not 0x1/));
  await assert.rejects(run(command, []), failed(2, /no pictures/));
});

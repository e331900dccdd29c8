import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import tls from "node:tls";
import { promisify } from "node:util";
import { GlyphwireError, connect } from "glyphwire";
import { stub } from "./stub.js";

let folder;
const file = (name) => readFileSync(join(folder, name));

before(() => {
  folder = mkdtempSync(join(tmpdir(), "glyphwire-"));
  for (const name of ["server", "other"]) {
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
    const names = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const files = ["-keyout", join(folder, `${name}.key`), "-out", join(folder, `${name}.pem`)];
    execFileSync("openssl", ["req", "-x509", ...key, ...names, ...files], { stdio: "ignore" });
  }
});
after(() => rmSync(folder, { recursive: true }));

/** A port that speaks TLS and hands what comes to another port, as stunnel does. */
async function front(t, port) {
  const server = tls.createServer({ cert: file("server.pem"), key: file("server.key") }, (outer) => {
    const inner = net.connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    for (const socket of [inner, outer]) socket.on("error", () => {});
    outer.pipe(inner).pipe(outer);
  });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return server.address().port;
}

for (const host of ["localhost", "127.0.0.1"]) {
  test(`frames go in and results come out over TLS to ${host}`, async (t) => {
    const { port } = await stub(t, (peer) => peer.serve());
    const connection = await connect({ host, port: await front(t, port), tls: { ca: file("server.pem") } });
    const frames = Array.from({ length: 40 }, (_, i) => ({ payload: Buffer.alloc(1 << 18, i) }));
    let count = 0;
    const sending = (async () => {
      for (const frame of frames) await connection.send(frame);
      await connection.finish();
    })();
    for await (const result of connection.results()) count += result.status === "ok" ? 1 : 0;
    await sending;
    assert.equal(count, frames.length);
  });
}

/** Checks that a connection fails for good, with an advice. */
async function assertRefused(port, ca, advice) {
  const settings = { host: "localhost", port, tls: ca ? { ca } : true };
  await assert.rejects(connect(settings), (error) => {
    assert.match(error.message, advice);
    assert.doesNotMatch(error.message, /\n/);
    return error.code === "cannot_connect" && GlyphwireError.isPermanent(error);
  });
}

test("a server that nobody vouches for is not believed", async (t) => {
  const { port } = await stub(t);
  const secure = await front(t, port);
  for (const ca of [undefined, file("other.pem")]) {
    await assertRefused(secure, ca, /certificate is refused .*trust the certificate or its authority/);
  }
});

test("a certificate that the caller does not check is not blamed for a loss", async (t) => {
  const { port } = await stub(t, (peer) => peer.end());
  const settings = { host: "localhost", port: await front(t, port), tls: { rejectUnauthorized: false } };
  await assert.rejects(connect(settings), ({ code }) => code === "connection_lost");
});

test("a server without TLS is told", async (t) => {
  const { port } = await stub(t, (peer) => peer.serve());
  await assertRefused(port, file("server.pem"), /check that the server speaks TLS/);
});

test("the command does not wait for another certificate", async (t) => {
  const { port } = await stub(t);
  const command = new URL("../bin/glyphwire-client.js", import.meta.url).pathname;
  const options = ["--host", "localhost", "--port", String(await front(t, port)), "--tls"];
  const running = promisify(execFile)(command, [...options, command]);
  await assert.rejects(running, ({ code, stderr }) => code === 1 && stderr.includes("--tls-ca FILE"));
});

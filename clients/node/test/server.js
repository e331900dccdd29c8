import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { connect } from "glyphwire";

export const repository = fileURLToPath(new URL("../../..", import.meta.url));
const program = process.env.GLYPHWIRE_PROGRAM ?? `${repository}.build/release/glyphwire`;

/** Why tests that need a real server cannot run, or `false`. */
export const noServer =
  !existsSync(program) && "no server: build one with `make build`, or name one in GLYPHWIRE_PROGRAM";

/** A real server that runs until the test ends. */
export async function startServer(test, { port = 0, options = [] } = {}) {
  const server = spawn(program, ["serve", "--port", String(port), "--log-level", "warning", ...options], {
    cwd: repository,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  const stop = async (signal) => {
    server.kill(signal);
    await exited;
  };
  test.after(() => stop("SIGKILL"));
  const [ready] = await Promise.race([once(createInterface(server.stdout), "line"), exited.then(() => [""])]);
  const address = /listening on (.+):(\d+) /.exec(ready);
  if (!address) throw new Error(`${program} did not start`);
  return { host: address[1], port: Number(address[2]), stop };
}

/** The option that has every frame read, where the server has a choice. */
export async function readEvery({ host, port, options }) {
  const connection = await connect({ host, port, options });
  connection.close();
  return connection.hello.features.includes("delivery") ? { delivery: "every" } : {};
}

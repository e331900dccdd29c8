import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../../..", import.meta.url));
const program = process.env.GLYPHWIRE_PROGRAM ?? `${repository}.build/release/glyphwire`;

/** Why tests that need a real server cannot run, or `false`. */
export const noServer =
  !existsSync(program) && "no server: build one with `make build`, or name one in GLYPHWIRE_PROGRAM";

/** A real server that runs until the test ends. */
export async function startServer(test, { options = [] } = {}) {
  const server = spawn(program, ["serve", "--port", "0", "--log-level", "warning", ...options], {
    cwd: repository,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  test.after(async () => {
    server.kill("SIGKILL");
    await exited;
  });
  const [ready] = await Promise.race([once(createInterface(server.stdout), "line"), exited.then(() => [""])]);
  const address = /listening on (.+):(\d+) /.exec(ready);
  if (!address) throw new Error(`${program} did not start`);
  return { host: address[1], port: Number(address[2]) };
}

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = new URL("..", import.meta.url);
// Where Node's own declarations are: Debian's package `nodejs` has them, other packages of Node do not.
const types = [process.env.GLYPHWIRE_NODE_TYPES, "/usr/share/nodejs/@types"].find((path) => path && existsSync(`${path}/node`));
const hasCompiler = spawnSync("tsc", ["--version"]).status === 0;
const skip =
  (!hasCompiler && "no tsc: Debian has it as node-typescript") ||
  (!types && "no declarations of Node: Tests/OtherTools/run fetches them, or name their folder @types in GLYPHWIRE_NODE_TYPES");

/** What is wrong with programs in TypeScript that use the client, as strictly as the compiler can tell. */
function flaws(...programs) {
  const options = "--noEmit --strict --noUnusedLocals --target es2022 --lib es2022 --module node16 --moduleResolution node16";
  const { stdout } = spawnSync("tsc", [...options.split(" "), "--typeRoots", types, "--types", "node", ...programs], {
    cwd: folder,
  });
  return stdout.toString();
}

test("the declarations fit their use", { skip }, () => {
  assert.equal(flaws("test/types.ts"), "");
});

test("the examples of the README are TypeScript too", { skip }, async (t) => {
  const readme = await readFile(new URL("README.md", folder), "utf8");
  const examples = Array.from(readme.matchAll(/```js\n(.*?)```/gs), ([, example]) => example);
  // The second goes on from where the first has connected.
  const connected = 'import { type Connection } from "glyphwire";\ndeclare const connection: Connection;\n';
  const cameras = "declare const camera: AsyncIterable<Uint8Array>;\n";
  const beside = await mkdtemp(fileURLToPath(new URL("test/readme-", folder)));
  t.after(() => rm(beside, { recursive: true }));
  const programs = examples.map((example, i) => [`${beside}/${i}.mts`, i === 0 ? example : connected + cameras + example]);
  for (const [path, text] of programs) await writeFile(path, text);
  assert.equal(flaws(...programs.map(([path]) => path)), "");
  assert.equal(programs.length, 2);
});

test("the declarations name what there is", async () => {
  const declarations = await readFile(new URL("index.d.ts", folder), "utf8");
  const names = Array.from(declarations.matchAll(/^export declare (?:const|class|function) (\w+)/gm), ([, name]) => name);
  assert.deepEqual(names.sort(), Object.keys(await import("glyphwire")).sort());
});

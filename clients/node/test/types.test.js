import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const folder = new URL("..", import.meta.url);
const hasCompiler = spawnSync("tsc", ["--version"]).status === 0;
const skip = !hasCompiler && "no tsc: Debian has it as node-typescript";

test("the declarations fit their use", { skip }, () => {
  const options = "--noEmit --strict --target es2022 --lib es2022 --module node16 --moduleResolution node16";
  const { status, stdout } = spawnSync("tsc", [...options.split(" "), "test/types.ts"], { cwd: folder });
  assert.equal(status, 0, stdout.toString());
});

test("the declarations name what there is", async () => {
  const declarations = await readFile(new URL("index.d.ts", folder), "utf8");
  const names = Array.from(declarations.matchAll(/^export declare (?:const|class|function) (\w+)/gm), ([, name]) => name);
  assert.deepEqual(names.sort(), Object.keys(await import("glyphwire")).sort());
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { GlyphwireError } from "../src/error.js";
import { defaultPolicy, delayBefore, policyFrom } from "../src/reconnect.js";

test("pauses double up to the longest", () => {
  const delays = Array.from({ length: 10 }, (_, i) => delayBefore(defaultPolicy, i + 1, () => 0));
  assert.deepEqual(delays, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000]);
});

test("chance shortens a pause by a fifth at most", () => {
  assert.equal(delayBefore(defaultPolicy, 1, () => 0.5), 90);
  assert.equal(delayBefore(defaultPolicy, 20, () => 1), 8_000);
});

test("a policy is at its default where it says nothing", () => {
  assert.equal(policyFrom(false), undefined);
  assert.deepEqual(policyFrom(true), defaultPolicy);
  assert.deepEqual(policyFrom({ maxAttempts: 2 }), { ...defaultPolicy, maxAttempts: 2 });
});

test("wrong guesses cost a minute, whatever the policy says", () => {
  assert.equal(GlyphwireError.minimumPause({ wireCode: "too_many_guesses" }), 60_000);
  assert.equal(GlyphwireError.minimumPause({ wireCode: "too_many_connections" }), 0);
});

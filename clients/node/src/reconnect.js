import { withDefaults } from "./settings.js";

/** How a connection that was lost is made again, where nothing else is said; times in milliseconds. */
export const defaultPolicy = Object.freeze({
  maxAttempts: 10,
  initialDelay: 100,
  multiplier: 2,
  maxDelay: 10_000,
  jitter: 0.2,
});

/** The policy that a caller's `reconnect` stands for; `undefined` for none. */
export function policyFrom(reconnect) {
  if (!reconnect) return undefined;
  return withDefaults(defaultPolicy, reconnect === true ? {} : reconnect);
}

/**
 * The pause in milliseconds before an attempt: at most `maxDelay`, and shorter than the regular pause by up to `jitter`
 * of it.
 *
 * @param {object} policy
 * @param {number} attempt 1 for the first since the connection was lost.
 * @param {() => number} [random] Where chance comes from.
 */
export function delayBefore(policy, attempt, random = Math.random) {
  const { initialDelay, multiplier, maxDelay, jitter } = policy;
  const regular = Math.min(initialDelay * Math.max(multiplier, 1) ** (attempt - 1), maxDelay);
  return regular * (1 - Math.min(Math.max(jitter, 0), 1) * random());
}

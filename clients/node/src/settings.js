/** The longest time of a timer, in milliseconds; of more, `setTimeout` makes one (Node's documentation). */
export const longestTimer = 2 ** 31 - 1;

/** Settings with their defaults, which what is `undefined` has too. */
export function withDefaults(defaults, settings) {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}

/** Calls back after some milliseconds; never where a timer cannot hold them, as with `Infinity`. */
export function after(milliseconds, callback) {
  return milliseconds <= longestTimer ? setTimeout(callback, milliseconds) : undefined;
}

/** Why a connection could not be made, or cannot be used any more. */
export class GlyphwireError extends Error {
  #isFinal;

  /**
   * @param {string} code What kind of trouble it is.
   * @param {string} message What was wrong, where, and what to do.
   * @param {{wireCode?: string, cause?: unknown, isFinal?: boolean}} [details] What the server or the system said, and
   * whether it would say so again.
   */
  constructor(code, message, { wireCode, cause, isFinal = false } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "GlyphwireError";
    this.code = code;
    this.#isFinal = isFinal;
    if (wireCode !== undefined) this.wireCode = wireCode;
  }

  /** Milliseconds that must pass before another attempt, whatever the policy says. */
  static minimumPause({ wireCode }) {
    return minimumPauses.get(wireCode) ?? 0;
  }

  /** Whether another connection would end the same way. */
  static isPermanent(error) {
    if (error.code === "refused") return permanentRefusals.has(error.wireCode);
    return error.#isFinal || permanentCodes.has(error.code);
  }
}

const permanentCodes = new Set([
  "not_glyphwire",
  "unsupported_protocol",
  "bad_line",
  "line_too_long",
  "message_too_large",
  "closed",
]);
const permanentRefusals = new Set([
  "auth_required",
  "auth_failed",
  "message_too_large",
  "message_too_short",
  "wrong_protocol",
]);
/** Protocol.md, rule X2. */
const minimumPauses = new Map([["too_many_guesses", 60_000]]);

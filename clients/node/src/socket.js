import net from "node:net";

/**
 * A socket that goes on reading when writing fails.
 *
 * A server that gives up on a client says why before it closes. A socket that ends at the first failed write would
 * discard what was received and not yet read; this one leaves it to reading to find the end.
 */
export class ReadingSocket extends net.Socket {
  /** Whether writing has failed. */
  isBroken = false;

  _write(chunk, encoding, callback) {
    super._write(chunk, encoding, this.#tolerant(callback));
  }

  _writev(chunks, callback) {
    super._writev(chunks, this.#tolerant(callback));
  }

  #tolerant(callback) {
    return (error) => {
      if (error) this.isBroken = true;
      callback();
    };
  }
}

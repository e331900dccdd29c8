// Uses every declaration; the compiler is the test.
import { connect, Connection, Format, GlyphwireError, Orientation } from "glyphwire";
import type { Box, Frame, Options, Result, TextWord } from "glyphwire";

const options: Options = { level: "accurate", regionOfInterest: [0, 0, 1, 0.5], somethingNew: 3 };
const frame: Frame = { payload: new Uint8Array(4), format: "gray", width: 2, height: 2, orientation: Orientation.left };

export async function use(): Promise<string[]> {
  const connection: Connection = await connect({ host: "::1", options, reconnect: { maxAttempts: 3 } });
  const sequence: number | bigint = await connection.send({ ...frame, format: Format.gray, capturedUs: 12n });
  const largest: number = connection.hello.limits.max_message_bytes;
  const inForce: Options = (await connection.configure()).options;
  const clock: number | bigint = (await connection.ping(1)).sent_us;
  const p99: number = (await connection.stats()).connection.timings_us.total.p99;
  const ended = connection.finish().then((end): number => end.frames);
  const words: TextWord[] = [];
  for await (const result of connection.results()) {
    const typed: Result = result;
    words.push(...(typed.lines ?? []).flatMap((line) => line.words));
  }
  for await (const { type, line } of connection.lines()) console.log(type.length, line.length);
  const box: Box | undefined = words[0]?.box;
  connection.close();
  return [sequence, largest, inForce.level, clock, p99, await ended, box?.[7]].map(String);
}

export function explain(error: unknown): string {
  if (!(error instanceof GlyphwireError)) throw error;
  // @ts-expect-error: no such code
  if (error.code === "lost") return "";
  return error.code === "refused" ? error.wireCode ?? "" : error.message;
}

// @ts-expect-error: a frame needs its payload
export const empty: Frame = {};
// @ts-expect-error: no such orientation
export const askew: Frame = { payload: new Uint8Array(), orientation: "askew" };
// @ts-expect-error: connections are made by connect()
export const unconnected = new Connection();

declare const console: { log(...values: unknown[]): void };

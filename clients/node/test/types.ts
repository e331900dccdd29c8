// Uses every declaration; the compiler is the test.
import { connect, Connection, Format, GlyphwireError, Orientation } from "glyphwire";
import type { Box, ErrorLine, Frame, FrameWarning, Goaway, Integer, Options, Result, TextLine, TextMatch, TextWord } from "glyphwire";

const options: Options = {
  token: "open sesame",
  client: "the compiler",
  level: "accurate",
  recognize: true,
  characters: false,
  coordinates: "vision",
  minimumTextHeight: 0.05,
  regionOfInterest: [0, 0, 1, 0.5],
  upright: "auto",
  languages: ["en", "zh-Hans"],
  customWords: ["Gleis"],
  languageCorrection: false,
  damaged: "read",
  candidates: 3,
  delivery: "every",
  deadline_ms: 300,
  clock_offset_us: -5,
  temporal: true,
  refresh_ms: 1000,
  find: ["exit", "/\\d+/"],
  somethingNew: 3,
};
const frame: Frame = { payload: new Uint8Array(4), format: "gray", width: 2, height: 2, orientation: Orientation.left };

export async function use(): Promise<string[]> {
  const connection: Connection = await connect({ host: "::1", options, reconnect: { maxAttempts: 3 } });
  const sequence: number | bigint = await connection.send({ ...frame, format: Format.gray, capturedUs: 12n });
  const latest: number | bigint | undefined = await connection.sendLatest(frame);
  const largest: number = connection.hello.limits.max_message_bytes;
  const { options: inForce, window } = await connection.configure();
  const frames: number = window ?? 1;
  const clock: number | bigint = (await connection.ping(1)).sent_us;
  const p99: number = (await connection.stats()).connection.timings_us.total.p99;
  const ended = connection.finish().then((end): number => end.frames);
  const words: TextWord[] = [];
  for await (const result of connection.results()) {
    const typed: Result = result;
    words.push(...(typed.lines ?? []).flatMap((line) => line.words));
  }
  for await (const line of connection.lines()) console.log(line.type.length, line.line.length, said(line as ErrorLine | Goaway));
  const box: Box | undefined = words[0]?.box;
  connection.close();
  return [sequence, latest ?? "", largest, inForce.level, clock, p99, await ended, box?.[7], frames].map(String);
}

function said(line: ErrorLine | Goaway): string {
  return line.type === "goaway" ? `${line.grace_ms} ms` : `${line.code} ${line.fatal}`;
}

export function tell(result: Result): unknown[] {
  const flags: (boolean | undefined)[] = [result.reused, result.truncated, result.matches_complete];
  const numbers: (Integer | undefined)[] = [result.by, result.age_ms, result.orientation, ...(result.lost ?? [])];
  const line: TextLine | undefined = result.lines?.[0];
  const sure: number | undefined = line?.scores?.recognition ?? line?.scores?.detection;
  const other: string | undefined = line?.candidates?.[1]?.text;
  const damage: number | undefined = result.warnings?.find((warning: FrameWarning) => warning.code === "jpeg_damaged")?.row;
  const match: TextMatch | undefined = result.matches?.[0];
  const found: TextWord | undefined = result.lines?.[match?.line ?? 0]?.words[match?.words[0] ?? 0];
  const place: Box | undefined = match?.box;
  const texts: (string | undefined)[] = [result.reason, line?.script, line?.reason, line?.state, other, match?.text, found?.text];
  return [...flags, ...numbers, damage, ...texts, sure, place, match?.pattern, found?.id, result.timings_us?.total];
}

export function explain(error: unknown): string {
  if (!(error instanceof GlyphwireError)) throw error;
  // @ts-expect-error: no such code
  if (error.code === "lost") return "";
  return error.code === "refused" ? error.wireCode ?? "" : error.message;
}

// @ts-expect-error: no whole number
export const late: Options = { deadline_ms: "soon" };
// @ts-expect-error: a frame needs its payload
export const empty: Frame = {};
// @ts-expect-error: no such orientation
export const askew: Frame = { payload: new Uint8Array(), orientation: "askew" };
// @ts-expect-error: connections are made by connect()
export const unconnected = new Connection();

declare const console: { log(...values: unknown[]): void };

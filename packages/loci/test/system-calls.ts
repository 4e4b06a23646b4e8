import { Buffer } from "node:buffer";

/** A call of the operating system that has succeeded, as `strace -f -y -xx` writes it. */
export interface SystemCall {
  readonly name: string;
  /** Strings as their bytes; everything else as it is written, a file with its path: `25</data/ledger.sqlite>`. */
  readonly values: readonly (Buffer | string)[];
  readonly result: number;
}

const unfinished = " <unfinished ...>";
const callPattern = /^(\w+)\((.*)\) += (-?\d+)/s;
const resumedPattern = /^<\.\.\. \w+ resumed>(.*)$/s;

/**
 * The calls in the order in which they ended. One that waited for the disk stands where it began, as it says nothing of what others
 * wrote meanwhile.
 */
export function parseSystemCalls(trace: string): readonly SystemCall[] {
  const calls: (SystemCall | undefined)[] = [];
  const begun = new Map<string, { readonly text: string; readonly place: number }>();
  for (const line of trace.split("\n")) {
    const [, thread = "", text = ""] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    if (text.endsWith(unfinished)) {
      begun.set(thread, { text: text.slice(0, -unfinished.length), place: calls.push(undefined) - 1 });
      continue;
    }
    const rest = resumedPattern.exec(text)?.[1];
    const start = rest === undefined ? undefined : begun.get(thread);
    const call = callOf(start === undefined ? text : `${start.text}${rest}`);
    if (call === undefined) continue;
    if (start !== undefined && call.name.endsWith("sync")) calls[start.place] = call;
    else calls.push(call);
  }
  return calls.filter((call) => call !== undefined);
}

function callOf(text: string): SystemCall | undefined {
  const [, name = "", values = "", result = ""] = callPattern.exec(text) ?? [];
  if (name === "" || Number(result) < 0) return undefined;
  return { name, values: values.split(", ").map(valueOf), result: Number(result) };
}

/** What stands between quotes or angle brackets is written in hexadecimal, byte by byte. */
function valueOf(written: string): Buffer | string {
  const bytes = /^"((?:\\x[\da-f]{2})*)"(\.\.\.)?$/.exec(written);
  if (bytes === null)
    return written.replaceAll(/<((?:\\x[\da-f]{2})*)>/g, (_, path: string) => `<${bytesOf(path).toString()}>`);
  if (bytes[2] !== undefined) throw new TypeError("A value was cut off in the trace.");
  return bytesOf(bytes[1] ?? "");
}

function bytesOf(hexadecimal: string): Buffer {
  return Buffer.from(hexadecimal.replaceAll(String.raw`\x`, ""), "hex");
}

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { findTextReaders, readersOf, type TextReader, type WrittenPattern } from "../find-patterns.ts";
import { superlinearGrowth } from "../growth.ts";
import { atomsOf, charactersOfText, type Run, runsOf } from "../hostile-runs.ts";
import { type MadePattern, recordMadePatterns } from "../made-patterns.ts";
import { readThrough, type ReadText, seesNoCaller, textReaders } from "../text-readers.ts";

const root = join(import.meta.dirname, "../../..");
const found = findTextReaders(root);
/** Whether `npm run test:attack` runs, which takes minutes for what takes seconds here. */
const isAttack = process.env["LOCI_ATTACK"] === "1";
/** How much of the runs of readers is tried: all of them take half an hour. */
const share = isAttack ? 4 : 48;
/** Milliseconds of the processor after which no further run is tried on a pattern or on what a file reads: slow readers have the fewer. */
const most = isAttack ? 30_000 : 700;
/** The same for a pattern that was made of parts: there are many, much alike. */
const mostOfMade = isAttack ? 30_000 : 250;
const planted = isAttack
  ? [/\s+$/, /(a|b)*c/, /x*y*z/, /[.!?]+["']*(?=\s|$)/u, /(a+)+$/, /"(?:[^"\\]|\\.)*"/]
  : [/\s+$/, /(a+)+$/];
/** Pieces of what texts are read for, besides what each pattern is made of. */
const pieces: readonly string[] = [
  ...charactersOfText("?.x<[(&\"'`~*#_->=:/\\0 \t\n\r\u0301\u200D\u2028中ﾞ👍"),
  "\u0301\u0316",
  "<system",
  "<|",
  "[INST",
  "]]>",
  "Human:",
  "```",
  "~~~\n",
  "|",
  "a|b\n-|-\n",
  "- ",
  "1. ",
  "> ",
  "*a_ ",
  "[a](",
  "<!--",
  "a.b/",
  "é",
  "{",
  "aB",
];

const readers = new Map<string, Readonly<Record<string, ReadText>>>();
let made: readonly MadePattern[] = [];

beforeAll(async () => {
  const record = recordMadePatterns();
  for (const [file, readersIn] of Object.entries(textReaders)) {
    const module = (await import(pathToFileURL(join(root, file)).href)) as Parameters<typeof readersIn>[0];
    readers.set(file, await readersIn(module));
    for (const read of Object.values(readers.get(file) ?? {})) read("a <b> [c] ```\n```\n");
  }
  made = record();
});

/** Everything a pattern can be made to try, as if it looked for all of its matches. */
function growthOf(
  { source, flags }: WrittenPattern,
  mostSpent: number = most,
): { readonly run: Run; readonly factor: number } | undefined {
  const pattern = new RegExp(source, flags.includes("g") ? flags : `${flags.replace("y", "")}g`);
  const read = (text: string): number => {
    let matches = 0;
    pattern.lastIndex = 0;
    for (const match of text.matchAll(pattern)) matches += match[0].length;
    return matches;
  };
  const spent = spentSince(process.threadCpuUsage());
  for (const run of runsOf(atomsOf({ source, flags }))) {
    if (spent() > mostSpent) break;
    const growth = superlinearGrowth(read, run);
    if (growth !== undefined) return { run, factor: growth.factor };
  }
  return undefined;
}

const written = new Map(
  found.flatMap(({ file, patterns }) =>
    patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, { file, pattern }] as const),
  ),
);

describe("every regular expression of the products takes time linear in what it reads", () => {
  test("the search for them finds those there are", () => {
    expect(written.size).toBeGreaterThan(100);
    expect(readersOf("planted.ts", "const x: RegExp = /a+b/u; for (;;) { s.charCodeAt(0); new RegExp(y); }")).toEqual({
      file: "planted.ts",
      patterns: [{ source: "a+b", flags: "u" }],
      composed: 1,
      scanners: ["module"],
    });
    const folding = 'export function fold(text: string): string { return text.normalize("NFC").trim(); }';
    expect(readersOf("planted.ts", folding).scanners).toEqual(["fold"]);
  });

  test.each(planted)("one that does not would be noticed: %s", ({ source, flags }) => {
    expect(growthOf({ source, flags })).toBeDefined();
  });

  test.each([...written.keys()])("%s", (name) => {
    expect(growthOf(written.get(name)?.pattern as WrittenPattern)).toBeUndefined();
  });

  test("and so do those that are made of parts", () => {
    const makers = found.filter(({ file, composed }) => composed > 0 && !(file in seesNoCaller));
    const known = new Set(made.map(({ file }) => file));
    expect(makers.map(({ file }) => file).filter((file) => !known.has(file))).toEqual([]);
    // A tokenizer's own pattern is read piece by piece, and measured as that below.
    for (const pattern of made.filter(({ file }) => !file.endsWith("/text-splitter.ts")))
      expect({ file: pattern.file, source: pattern.source, growth: growthOf(pattern, mostOfMade) }).toMatchObject({
        growth: undefined,
      });
  });
});

describe("every function that goes through a text takes time linear in it", () => {
  test("each file with such a function has a reader here", () => {
    const known = new Set([...Object.keys(textReaders), ...Object.keys(readThrough), ...Object.keys(seesNoCaller)]);
    const needs = ({ scanners, composed }: TextReader): boolean => scanners.length + composed > 0;
    expect(
      found
        .filter(needs)
        .map(({ file }) => file)
        .filter((file) => !known.has(file)),
    ).toEqual([]);
    for (const through of Object.values(readThrough)) expect(Object.keys(textReaders)).toContain(through);
  });

  test.for(Object.keys(textReaders))("%s", (file) => {
    const spent = spentSince(process.threadCpuUsage());
    const slow = Object.entries(readers.get(file) ?? {}).flatMap(([name, read]) => {
      let index = 0;
      for (const run of readerRuns()) {
        if (spent() > most) break;
        if (index++ % share !== name.length % share) continue;
        const growth = superlinearGrowth(read, run);
        if (growth !== undefined) return [{ name, run, ...growth }];
      }
      return [];
    });
    expect(slow).toEqual([]);
  });
});

/** Milliseconds of the processor on this thread since then. */
function spentSince(started: NodeJS.CpuUsage): () => number {
  return () => {
    const { user, system } = process.threadCpuUsage(started);
    return (user + system) / 1000;
  };
}

/** Every piece said again and again, alone, behind and before another. */
function* readerRuns(): Generator<Run> {
  for (const piece of pieces) for (const after of ["", "x", "\n", "]:"]) yield { before: "", piece, after };
  for (const before of pieces) for (const piece of pieces) yield { before, piece, after: "x" };
  for (const first of pieces) for (const piece of pieces) yield { before: "", piece: first + piece, after: "x" };
}

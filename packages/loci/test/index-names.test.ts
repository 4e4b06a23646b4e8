import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { indexAdapters } from "@loci/loci";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");

/** Where a kind of index may be named, beside its own package and its declaration, and why. */
const exceptions: Readonly<Record<string, string>> = {
  "tools/demo/demo-index.ts": "starts a PostgreSQL of the demo's own",
  "benchmarks/src/stores/measured-kinds.ts": "says which server and which client each is measured with",
  "packages/ledger/src/conformance/embedding-cases.ts": "calls the method `embedded`",
};

/** Figures are measured of kinds that were chosen for the question, as a user chooses one. */
const chosen = /^benchmarks\/src\/(?!stores\/)/;

/** `memory` is a word of its own: for what is remembered, it is not looked for. */
const names = indexAdapters.map(({ name }) => name).filter((name) => name !== "memory");
/** `embedded` is what texts are: only as a text of its own it is a kind. */
const fields = names.filter((name) => name !== "embedded").join("|");
/** A text, a field of an object or a type, and what is read of one. */
const naming = new RegExp(`(["'\`])(?:${names.join("|")})\\1|\\b(?:${fields})\\??:|\\.(?:${fields})\\b(?!\\.ts)`);

function* sources(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && !["node_modules", "dist", "test", "gen"].includes(entry.name)) yield* sources(path);
    else if (entry.isFile() && entry.name.endsWith(".ts")) yield relative(root, path).replaceAll("\\", "/");
  }
}

function lineOfName(path: string): string | undefined {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  return lines.find((line) => naming.test(line.replace(/^\s*(?:\/\/|\/?\*).*/, "")));
}

const named = ["apps", "packages", "tools", "benchmarks", "examples"]
  .flatMap((folder) => [...sources(join(root, folder))])
  .flatMap((path) => {
    const line = lineOfName(path);
    return line === undefined ? [] : [{ path, line }];
  });

test("a kind of index is named in its package and its declaration, nowhere else", () => {
  const isOwn = (path: string): boolean =>
    names.some((name) => path.startsWith(`packages/store-${name}/`) || path.endsWith(`/optional/${name}-indexes.ts`));
  const elsewhere = named.filter(({ path }) => !isOwn(path) && !chosen.test(path) && !(path in exceptions));
  expect(elsewhere).toEqual([]);
});

test("no exception is left over", () => {
  expect(Object.keys(exceptions).filter((path) => !named.some((found) => found.path === path))).toEqual([]);
});

test("every kind has one declaration, by a name that commands and files can have", () => {
  const all = indexAdapters.map(({ name }) => name);
  expect(new Set(all).size).toBe(all.length);
  for (const name of all) expect(name).toMatch(/^[a-z0-9-]{1,40}$/);
});

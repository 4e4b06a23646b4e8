// Files as blocks keep them, in a file that Python's tests read as well.
import { readFileSync, writeFileSync } from "node:fs";
import { type Block, type BlockValues } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  memoryFileLabel,
  memoryFileOf,
  memoryFileOperations,
  memoryFileValues,
} from "../src/memory-tool/memory-file.ts";

const file = new URL("golden/memory-files.json", import.meta.url);

const cases: readonly (readonly [string, string | null])[] = [
  ["a.md", "Ann prefers window seats.\n"],
  ["a/b/é 👍.md", 'one\n\n\ttwo "three" \\ four'],
  ["a", null],
  ["a/b", null],
  ["empty", ""],
  ["breaks", "\n\n\n"],
  ["around", "\n\nx\n"],
  ["carriage", "a\r\nb\r"],
  ["blank", "  \na\n\t"],
  ["nothing", "\0\u0001\u007f\u0085\u2028\ufeff"],
  ["json", '"\\u00e9"'],
];

function blockOf(path: string, text: string | null): { label: string; values: BlockValues } {
  const label = memoryFileLabel(text === null ? `${path}/` : path);
  return { label, values: memoryFileValues(path, text ?? undefined) };
}

test("labels and values are those of the golden cases", () => {
  const made = cases.map(([path, text]) => ({ path, text, ...blockOf(path, text) }));
  if (process.env["LOCI_WRITE_GOLDEN"] === "1") writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
  expect(made).toEqual(JSON.parse(readFileSync(file, "utf8")));
});

const text = fc
  .array(
    fc.oneof(fc.constantFrom("\n", "\r", " ", "a", "b\n", "\0", '"'), fc.string({ unit: "binary", maxLength: 3 })),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test("a file comes back with each character", () => {
  fc.assert(
    fc.property(text, (said) => {
      expect(memoryFileOf(blockOf("a", said) as Block)).toMatchObject({ path: "a", text: said });
    }),
  );
});

test("a block that says another path than its own is no file", () => {
  const { values } = blockOf("a", "text");
  expect(memoryFileOf({ label: memoryFileLabel("b"), values } as Block)).toBeUndefined();
  expect(memoryFileOf({ label: memoryFileLabel("a"), values: {} } as Block)).toBeUndefined();
});

test("operations make one file of another", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const old = memoryFileValues("a", before);
      const changed: Record<string, unknown> = { ...old };
      for (const operation of memoryFileOperations(old, memoryFileValues("a", after)))
        if (operation.op === "replace") {
          const stands = String(changed[operation.field]);
          if (stands.split(operation.old).length !== 2) throw new Error("What is replaced stands not once.");
          changed[operation.field] = stands.replace(operation.old, () => operation.value);
        } else if (operation.value === "") delete changed[operation.field];
        else changed[operation.field] = operation.value;
      expect(changed).toEqual(memoryFileValues("a", after));
    }),
  );
});

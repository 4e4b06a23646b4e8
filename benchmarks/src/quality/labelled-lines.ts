import { readFileSync } from "node:fs";

const folder = new URL("../../data/", import.meta.url);

/** The lines of a file in `benchmarks/data`, as they are. */
export function readLabelledLines(name: string): readonly unknown[] {
  const lines = readFileSync(new URL(name, folder), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as unknown);
}

import { utf8ByteLength } from "@loci/domain";
import type { MemoryTree } from "./memory-tree.ts";
import { isWithin, parentOf } from "./memory-path.ts";

const lineNumberWidth = 6;
/** What the file systems that the tool was made on say of a directory. */
const directoryBytes = 4096;
const levels = 2;

/** Lines with their numbers, from the first of them on. */
export function numberedLines(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(index + first).padStart(lineNumberWidth, " ")}\t${line}`).join("\n");
}

/** A file as a model sees it. */
export function shownFile(given: string, text: string, range: readonly number[] | null | undefined): string {
  const lines = text.split("\n");
  const [from, to] = range?.length === 2 ? (range as readonly [number, number]) : [1, -1];
  const start = Math.max(1, from) - 1;
  const shown = lines.slice(start, to === -1 ? lines.length : to);
  return `Here's the content of ${given} with line numbers:\n${numberedLines(shown, start + 1)}`;
}

/** A directory as a model sees it, two levels deep. */
export function shownDirectory(given: string, directory: string, tree: MemoryTree): string {
  const lines = [`${shownSize(directoryBytes)}\t${given}`];
  const addEntries = (of: string, shown: string, level: number): void => {
    for (const [name, isDirectory] of entriesOf(of, tree)) {
      if (name.startsWith(".") || name === "node_modules") continue;
      const path = of === "" ? name : `${of}/${name}`;
      const bytes = isDirectory ? directoryBytes : utf8ByteLength(tree.files.get(path)?.text ?? "");
      lines.push(`${shownSize(bytes)}\t${shown}/${name}${isDirectory ? "/" : ""}`);
      if (isDirectory && level < levels) addEntries(path, `${shown}/${name}`, level + 1);
    }
  };
  addEntries(directory, given, 1);
  return `Here're the files and directories up to 2 levels deep in ${given}, excluding hidden items and node_modules:\n${lines.join("\n")}`;
}

/** What is in a directory itself, by name, and whether it is a directory. */
function entriesOf(directory: string, tree: MemoryTree): readonly (readonly [string, boolean])[] {
  const named = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  const isIn = (path: string): boolean => isWithin(path, directory) && parentOf(path) === directory;
  const entries = new Map([
    ...[...tree.files.keys()].filter(isIn).map((path) => [named(path), false] as const),
    ...[...tree.directories].filter(isIn).map((path) => [named(path), true] as const),
  ]);
  return [...entries].toSorted(([left], [right]) => (left < right ? -1 : 1));
}

/** A number of bytes as the tool says it: `4K`, `1.5M`. */
function shownSize(bytes: number): string {
  if (bytes === 0) return "0B";
  const units = ["B", "K", "M", "G"];
  const unit = Math.floor(Math.log(bytes) / Math.log(1024));
  const size = bytes / 1024 ** unit;
  return (size % 1 === 0 ? String(size) : size.toFixed(1)) + units[unit];
}

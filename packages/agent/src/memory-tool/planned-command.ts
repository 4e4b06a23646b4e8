import { type MemoryCommand, type MemoryCommandOf, MemoryToolError } from "./memory-command.ts";
import { maxMemoryFileBytes, type MemoryFile } from "./memory-file.ts";
import { directoriesOf, isWithin, memoryPath, parentOf, shownPath } from "./memory-path.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { numberedLines } from "./shown-memory.ts";
import { utf8ByteLength } from "@loci/domain";

/** One step of a command, which happens as a whole. */
export type MemoryChange =
  /** A file at a path where nothing is. */
  | { readonly kind: "create"; readonly path: string; readonly text: string }
  /** Another text of a file that is as it was read. */
  | { readonly kind: "edit"; readonly file: MemoryFile; readonly text: string }
  | { readonly kind: "move"; readonly from: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string }
  /** A directory with nothing in it. */
  | { readonly kind: "keep" | "removeKept"; readonly directory: string };

/** What a command does, step by step, and what the model is told then. */
export interface PlannedCommand {
  readonly changes: readonly MemoryChange[];
  readonly answer: string;
  /** True: the answer is what it is refused for, although it changes something. */
  readonly isRefused?: boolean;
}

type ChangingCommand = Exclude<MemoryCommand, { command: "view" }>;

/**
 * What a command does to what stands below `/memories`, and what the model is told. Each answer is that of the SDK's own tool on a
 * file system, byte for byte, where that has no `/` before `memories`.
 *
 * @throws MemoryToolError with what it is refused for, when it changes nothing
 */
export function planCommand(command: ChangingCommand, tree: MemoryTree): PlannedCommand {
  switch (command.command) {
    case "create":
      return planCreate(command, tree);
    case "str_replace":
      return planReplace(command, tree);
    case "insert":
      return planInsert(command, tree);
    case "delete":
      return planDelete(command, tree);
    case "rename":
      return planRename(command, tree);
  }
}

/** Where a path leads. @throws MemoryToolError when a file is in its way */
export function placeOf(given: string, tree: Pick<MemoryTree, "files">): string {
  const path = memoryPath(given);
  if (directoriesOf(path).some((directory) => tree.files.has(directory)))
    throw new MemoryToolError(`ENOTDIR: not a directory, realpath '${shownPath(path)}'`);
  return path;
}

export function pathNotFound(given: string): MemoryToolError {
  return new MemoryToolError(`The path ${given} does not exist. Please provide a valid path.`);
}

function planCreate({ path: given, file_text: text }: MemoryCommandOf<"create">, tree: MemoryTree): PlannedCommand {
  const path = placeOf(given, tree);
  if (tree.has(path)) throw new MemoryToolError(`File ${given} already exists`);
  const create = { kind: "create", path, text: checkedText(given, text) } as const;
  return { changes: [create], answer: `File created successfully at: ${given}` };
}

function planReplace(command: MemoryCommandOf<"str_replace">, tree: MemoryTree): PlannedCommand {
  const { path: given, old_str: old, new_str: value } = command;
  const file = fileAt(given, tree);
  const places = file.text.split("\n").flatMap((line, index) => (line.includes(old) ? [index + 1] : []));
  const [place, second] = places;
  if (place === undefined)
    throw new MemoryToolError(`No replacement was performed, old_str \`${old}\` did not appear verbatim in ${given}.`);
  if (second !== undefined)
    throw new MemoryToolError(
      `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${places.join(", ")}. Please ensure it is unique`,
    );
  const text = checkedText(
    given,
    file.text.replace(old, () => value),
  );
  const lines = text.split("\n");
  const first = Math.max(0, place - 3);
  const snippet = numberedLines(lines.slice(first, Math.min(lines.length, place + 2)), first + 1);
  return {
    changes: [{ kind: "edit", file, text }],
    answer: `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`,
  };
}

function planInsert(command: MemoryCommandOf<"insert">, tree: MemoryTree): PlannedCommand {
  const { path: given, insert_line: line, insert_text: inserted } = command;
  const file = fileAt(given, tree);
  const lines = file.text.split("\n");
  if (line < 0 || line > lines.length)
    throw new MemoryToolError(
      `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    );
  const one = inserted.endsWith("\n") ? inserted.slice(0, -1) : inserted;
  const text = checkedText(given, lines.toSpliced(line, 0, one).join("\n"));
  return { changes: [{ kind: "edit", file, text }], answer: `The file ${given} has been edited.` };
}

function planDelete({ path: given }: MemoryCommandOf<"delete">, tree: MemoryTree): PlannedCommand {
  const path = placeOf(given, tree);
  if (path === "") throw new MemoryToolError("Cannot delete the /memories directory itself");
  if (!tree.has(path)) throw new MemoryToolError(`The path ${given} does not exist`);
  const files = tree.files.has(path) ? [path] : tree.filesWithin(path).map((file) => file.path);
  const kept = [...tree.kept.keys()].filter((directory) => directory === path || isWithin(directory, path));
  return {
    changes: [
      ...keepEmptied(path, tree),
      ...files.map((file) => ({ kind: "remove", path: file }) as const),
      ...kept.map((directory) => ({ kind: "removeKept", directory }) as const),
    ],
    answer: `Successfully deleted ${given}`,
  };
}

function planRename(command: MemoryCommandOf<"rename">, tree: MemoryTree): PlannedCommand {
  const { old_path: given, new_path: givenTarget } = command;
  const from = placeOf(given, tree);
  const to = placeOf(givenTarget, tree);
  if (from === "") throw new MemoryToolError("Cannot rename the /memories directory itself");
  if (tree.has(to)) throw new MemoryToolError(`The destination ${givenTarget} already exists`);
  const parent = parentOf(to);
  // A file system makes the directory before it finds out that there is nothing to move into it.
  const made = tree.directories.has(parent) ? [] : [{ kind: "keep", directory: parent } as const];
  if (isWithin(to, from)) {
    const answer = `EINVAL: invalid argument, rename '${shownPath(from)}' -> '${shownPath(to)}'`;
    return { changes: made, answer, isRefused: true };
  }
  if (!tree.has(from)) return { changes: made, answer: `The path ${given} does not exist`, isRefused: true };
  const moved = (path: string): string => to + path.slice(from.length);
  const files = tree.files.has(from) ? [from] : tree.filesWithin(from).map(({ path }) => path);
  const kept = [...tree.kept.keys()].filter((directory) => directory === from || isWithin(directory, from));
  return {
    changes: [
      ...keepEmptied(from, tree, to),
      ...kept.map((directory) => ({ kind: "keep", directory: moved(directory) }) as const),
      ...files.map((path) => ({ kind: "move", from: path, to: moved(path) }) as const),
      ...kept.map((directory) => ({ kind: "removeKept", directory }) as const),
    ],
    answer: `Successfully renamed ${given} to ${givenTarget}`,
  };
}

/** A directory stays when the last that was in it goes. */
function keepEmptied(path: string, tree: MemoryTree, to = ""): readonly MemoryChange[] {
  const directory = parentOf(path);
  const stays = (other: string): boolean => other !== path && !isWithin(other, path);
  const isStillThere =
    directory === "" ||
    isWithin(to, directory) ||
    [...tree.files.keys()].some((other) => isWithin(other, directory) && stays(other)) ||
    [...tree.kept.keys()].some((other) => (other === directory || isWithin(other, directory)) && stays(other));
  return isStillThere ? [] : [{ kind: "keep", directory }];
}

function fileAt(given: string, tree: MemoryTree): MemoryFile & { readonly text: string } {
  const path = placeOf(given, tree);
  const file = tree.files.get(path);
  if (file !== undefined) return file;
  if (tree.directories.has(path)) throw new MemoryToolError(`The path ${given} is not a file.`);
  throw pathNotFound(given);
}

/** @throws MemoryToolError for a text that is too long */
function checkedText(given: string, text: string): string {
  const bytes = utf8ByteLength(text);
  if (bytes <= maxMemoryFileBytes) return text;
  throw new MemoryToolError(
    `The file ${given} would have ${bytes} bytes, more than the ${maxMemoryFileBytes} allowed. Divide it into several files.`,
  );
}

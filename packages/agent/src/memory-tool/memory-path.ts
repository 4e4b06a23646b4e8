import { utf8ByteLength } from "@loci/domain";
import { MemoryToolError } from "./memory-command.ts";

/** Most bytes of a path, as UTF-8. */
export const maxMemoryPathBytes = 512;

const root = "/memories";
/** What a block would not keep in one line. */
const controls = /[\p{Cc}\u2028\u2029]/u;

/**
 * What a path names below `/memories`: its parts with a slash between, or nothing for `/memories` itself. Empty parts and `.` say
 * nothing, as in every file system.
 *
 * @throws MemoryToolError for what is not below it, and for paths that a file system or a URL could take for another one
 */
export function memoryPath(given: string): string {
  if (!given.startsWith(root)) throw new MemoryToolError(`Path must start with /memories, got: ${given}`);
  const parts = given
    .slice(root.length)
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw refusedParent(given, parts);
  if (utf8ByteLength(given) > maxMemoryPathBytes)
    throw new MemoryToolError(`The path is longer than ${maxMemoryPathBytes} bytes. Use a shorter one.`);
  if (given.includes("%") || controls.test(given) || !given.isWellFormed() || parts.at(-1)?.endsWith(" ") === true)
    throw new MemoryToolError(
      `Path ${given} is not allowed: a path has no %, no control characters, and no space at its end. Use another one.`,
    );
  return parts.join("/");
}

function refusedParent(given: string, parts: readonly string[]): MemoryToolError {
  let depth = 0;
  for (const part of parts) {
    depth += part === ".." ? -1 : 1;
    if (depth < 0) return new MemoryToolError(`Path ${given} would escape /memories directory`);
  }
  return new MemoryToolError(`Path ${given} is not allowed: it has .. in it. Use the path that is meant.`);
}

/** The directory that a path is in. That of `a` is the root, which is empty. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The directories that a path is in, the root first. */
export function directoriesOf(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return ["", ...parts.map((_, index) => parts.slice(0, index + 1).join("/"))];
}

/** Whether a path is in a directory, at any depth. */
export function isWithin(path: string, directory: string): boolean {
  return path !== directory && (directory === "" || path.startsWith(`${directory}/`));
}

/** A path as a model writes it. */
export function shownPath(path: string): string {
  return path === "" ? root : `${root}/${path}`;
}

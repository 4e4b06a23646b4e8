import { LociError, type MemoryId, memoryId, type MemoryKey } from "@loci/domain";
import { type DataOptions, writeScope } from "../config/open-data-directory.ts";

export interface KeyOptions extends DataOptions {
  readonly key?: string;
}

/** What `--key` says in the help. */
export const keyHelp = "in place of the id: its key in the scope of --scope";

/** The memory that a command is about: by its id, or by `--key` in the scope. */
export function namedMemory(id: string | undefined, options: KeyOptions): MemoryId | MemoryKey {
  if (id !== undefined && options.key === undefined) return memoryId(id);
  if (id === undefined && options.key !== undefined) return { scope: writeScope(options), key: options.key };
  throw new LociError("INVALID_REQUEST", {
    message: id === undefined ? "The command names no memory." : "The command has an id and --key.",
    field: "key",
    advice: "Name the memory by its id, or by --key and --scope.",
  });
}

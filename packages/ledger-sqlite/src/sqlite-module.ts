import process from "node:process";
import type * as SqliteModule from "node:sqlite";

/**
 * SQLite from Node itself. Asked for, not imported: where it is missing the program is told which Node it takes, instead of
 * that some module is unknown.
 */
export const sqlite: typeof SqliteModule = sqliteOfThisRuntime();

function sqliteOfThisRuntime(): typeof SqliteModule {
  // Node 20 before 20.16 has no such function either.
  const found = (process as Partial<typeof process>).getBuiltinModule?.("node:sqlite");
  if (found !== undefined) return found;
  throw new Error(
    `Loci needs Node 22.13 or newer, which have SQLite built in; this is Node ${process.versions.node}. Update Node, or use @loci/client with a server that runs elsewhere.`,
  );
}

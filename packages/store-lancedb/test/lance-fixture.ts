import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LociError } from "@loci/domain";
import { type LanceStore, type LanceStoreOptions, openLanceStore } from "../src/index.ts";

/** A store in a directory of its own. */
export interface TestStore extends LanceStore {
  readonly directory: string;
  readonly problems: readonly LociError[];
  /** Closes it, and opens it again on the same directory. */
  reopen(): Promise<TestStore>;
  destroy(): Promise<void>;
}

export async function openTestStore(options: Partial<LanceStoreOptions> = {}): Promise<TestStore> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "lancedb-")));
  const problems: LociError[] = [];
  const store = await openLanceStore({ ...options, directory, reportProblem: (problem) => problems.push(problem) });
  return {
    ...store,
    directory,
    problems,
    reopen: async () => {
      await store.close();
      return openTestStore({ ...options, directory });
    },
    destroy: async () => {
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

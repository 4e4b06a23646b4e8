import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTemporaryLoci } from "../data/temporary-loci.ts";
import { prose } from "../data/prose.ts";
import type { BenchmarkCase } from "../measure/benchmark-case.ts";

/** What the disk itself costs: the floor for the case below. */
export const syncedAppend: BenchmarkCase = {
  name: "fsync-append",
  description: "Append 400 bytes to a bare file and fsync it",
  waits: true,
  open: () => {
    const folder = mkdtempSync(join(tmpdir(), "loci-benchmark-"));
    const file = openSync(join(folder, "log"), "a");
    const record = Buffer.alloc(400, 120);
    return Promise.resolve({
      run: () => {
        writeSync(file, record);
        fsyncSync(file);
      },
      [Symbol.asyncDispose]: () => {
        closeSync(file);
        rmSync(folder, { recursive: true });
        return Promise.resolve();
      },
    });
  },
};

export const durableWrite: BenchmarkCase = {
  name: "remember-durable",
  description: "Remember one memory: validate, embed, commit, fsync",
  waits: true,
  open: async () => {
    const temporary = await openTemporaryLoci();
    let seed = 0;
    return {
      run: () => temporary.loci.memories.remember({ text: prose(++seed, 2), scope: "user:writer" }),
      [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
    };
  },
};

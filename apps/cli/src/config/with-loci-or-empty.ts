import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LociError } from "@loci/domain";
import type { Loci } from "@loci/loci";
import { type DataOptions, withLoci } from "./open-data-directory.ts";

/**
 * As `withLoci` to read. Where there is no data yet the action gets a Loci that holds nothing and is gone afterwards: what would be
 * done is known before anything is there, and looking makes no directory.
 */
export async function withLociOrEmpty<Result>(
  options: DataOptions,
  action: (loci: Loci) => Promise<Result>,
): Promise<Result> {
  try {
    return await withLoci(options, "read", action);
  } catch (error) {
    if (!LociError.is(error) || error.reason !== "DATA_DIRECTORY_MISSING") throw error;
  }
  const data = await mkdtemp(join(tmpdir(), "loci-empty-"));
  try {
    return await withLoci({ ...options, data, index: "memory" }, "write", action);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

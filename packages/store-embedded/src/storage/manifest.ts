import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { Sequence, TenantId } from "@loci/domain";
import { replaceDurably } from "./durable-file.ts";
import { damaged, errorCode } from "./storage-error.ts";

/** A segment, and which of its rows were dead when the manifest was written. */
export interface SegmentFiles {
  readonly file: string;
  readonly dead: string | undefined;
}

/** What belongs to an index. A file that no manifest names is left over from a crash. */
export interface Manifest {
  readonly format: 1;
  /** Counts up with every file that is named. */
  readonly nextFile: number;
  /** How far the segments have come. The log goes on from there. */
  readonly checkpoint: Sequence;
  readonly log: string;
  readonly segments: readonly SegmentFiles[];
  /** Whose rows they are. Absent: a version wrote it that did not say, or the store was opened without an owner. */
  readonly owner?: IndexOwner | undefined;
}

/** A tenant of a ledger. */
export interface IndexOwner {
  readonly ledger: string;
  readonly tenant: TenantId;
}

/** @throws LociError `DATA_DIRECTORY_CORRUPT` when the manifest says that the rows are somebody else's */
export function checkOwner(directory: string, { owner }: Manifest, expected: IndexOwner | undefined): void {
  if (owner === undefined || expected === undefined) return;
  if (owner.ledger !== expected.ledger) throw damaged(join(directory, manifestName), "belongs to another ledger");
  if (owner.tenant !== expected.tenant) throw damaged(join(directory, manifestName), "belongs to another tenant");
}

export const manifestName = "manifest";

/** Replaces the manifest, durably. The first line is the checksum of the rest. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const body = JSON.stringify(manifest);
  await replaceDurably(join(directory, manifestName), Buffer.from(`${checksum(body)}\n${body}\n`));
}

/**
 * @returns `undefined` when there is none: nothing was ever stored here
 * @throws LociError `DATA_DIRECTORY_CORRUPT` when it was changed, or another format wrote it
 */
export function readManifest(directory: string): Manifest | undefined {
  const path = join(directory, manifestName);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  const [sum, body, end, ...more] = text.split("\n");
  if (body === undefined || end !== "" || more.length > 0 || sum !== checksum(body))
    throw damaged(path, "does not have the checksum it names");
  const manifest = JSON.parse(body) as Manifest;
  if (manifest.format !== 1) throw damaged(path, `has format ${String(manifest.format)}, but this version knows 1`);
  return manifest;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

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
  readonly format: number;
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

/**
 * What this version writes. Segments and logs of format 1 are the same, but two merges could take the same segments when
 * it was written: rows may be in it twice, or missing, and nothing in the files tells.
 */
export const manifestFormat = 2;
const formerFormats: readonly number[] = [1];

/** Replaces the manifest, durably. The first line is the checksum of the rest. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const body = JSON.stringify(manifest);
  await replaceDurably(join(directory, manifestName), Buffer.from(`${checksum(body)}\n${body}\n`));
}

/**
 * @returns `undefined` when nothing that counts is stored here: there is none, or it is of a former format, whose index is
 *   made again from the ledger
 * @throws LociError `DATA_DIRECTORY_CORRUPT` when it was changed, or is of a format to come
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
  if (formerFormats.includes(manifest.format)) return undefined;
  if (manifest.format !== manifestFormat)
    throw damaged(path, `has format ${String(manifest.format)}, but this version knows ${manifestFormat}`);
  return manifest;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

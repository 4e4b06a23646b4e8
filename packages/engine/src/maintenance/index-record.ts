import { type EmbeddingSpaceId, LociError } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import { sha256 } from "../content-hash.ts";
import type { IndexOwners } from "./index-places.ts";

/** Indexes that were in use before, and are still there. */
export interface FormerIndexes {
  readonly place: string;
  /** The collection alone, when the place itself is still in use. */
  readonly collection?: string | undefined;
  /** What their drainers acknowledged under. */
  readonly projections: readonly string[];
}

/** Which indexes a deployment uses, as its ledger keeps it. */
export interface IndexRecord {
  readonly place: string;
  readonly embedder: string;
  readonly space: EmbeddingSpaceId;
  /** What the configuration named when this was recorded: once it names something else, that counts. */
  readonly configured: { readonly place: string; readonly embedder: string };
  readonly former: readonly FormerIndexes[];
}

const settingName = "indexes";

/** What the drainers of the indexes in use, and of those before them, acknowledge under. */
export function projectionNamesOf({ place, space, former }: IndexRecord): readonly string[] {
  const { vectors, text } = projectionNames(place, collectionNameOf(space));
  return [vectors, text, ...former.flatMap(({ projections }) => projections)];
}

/**
 * By place, not by store: two places may hold the same kind of index.
 *
 * @param owners of indexes that other servers on the same ledger do not share
 */
export function projectionNames(
  place: string,
  collection: string,
  owners: IndexOwners = {},
): { readonly vectors: string; readonly text: string } {
  const suffix = (owner: string | undefined): string => (owner === undefined ? "" : `@${owner}`);
  return {
    vectors: `vectors:${place}:${collection}${suffix(owners.vectors)}`,
    text: `text:${place}${suffix(owners.text)}`,
  };
}

/** A collection for each space: another model's vectors are never compared with these. */
export function collectionNameOf(space: EmbeddingSpaceId): string {
  return `memories-${sha256(space).slice(0, 16)}`;
}

/** `undefined` before the first start. @throws LociError `DATA_DIRECTORY_CORRUPT` */
export async function readIndexRecord(ledger: Ledger): Promise<IndexRecord | undefined> {
  const value = await ledger.settings.get(undefined, settingName);
  if (value === undefined) return undefined;
  try {
    return JSON.parse(value) as IndexRecord;
  } catch (cause) {
    throw new LociError("DATA_DIRECTORY_CORRUPT", {
      message: "The ledger does not say in a readable way which indexes are in use.",
      advice: "Restore the last backup.",
      cause,
    });
  }
}

export async function writeIndexRecord(ledger: Ledger, record: IndexRecord): Promise<void> {
  await ledger.settings.set(undefined, settingName, JSON.stringify(record));
}

/**
 * Which of the configured and the recorded names counts: what was moved to, until the configuration is changed.
 *
 * @param recorded `undefined` before the first start
 */
export function activeNames(
  configured: IndexRecord["configured"],
  recorded: IndexRecord | undefined,
): IndexRecord["configured"] {
  if (recorded === undefined) return configured;
  return {
    place: recorded.configured.place === configured.place ? recorded.place : configured.place,
    embedder: recorded.configured.embedder === configured.embedder ? recorded.embedder : configured.embedder,
  };
}

/**
 * Refuses to compare texts embedded by one model with questions embedded by another.
 *
 * @throws LociError `EMBEDDING_SPACE_MISMATCH`, with the command that embeds everything again
 */
export function checkRecordedSpace(recorded: IndexRecord, embedder: string, space: EmbeddingSpaceId): void {
  if (recorded.space === space) return;
  throw new LociError("EMBEDDING_SPACE_MISMATCH", {
    message:
      `The memories were embedded in the space ${recorded.space} by the embedder "${recorded.embedder}", ` +
      `but "${embedder}" embeds in the space ${space}.`,
    advice:
      `Configure "${recorded.embedder}" as the embedder again, and "${embedder}" as a further one. Then ` +
      `\`loci reindex --embedder ${embedder}\` embeds everything anew while Loci goes on, and switches.`,
    details: { recordedSpace: recorded.space, configuredSpace: space },
  });
}

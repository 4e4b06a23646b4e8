import { type EmbeddingSpaceId, LociError } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import { sha256 } from "../calls/content-hash.ts";
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

/** The owner that is part of such a name. */
export function ownerOfProjection(name: string): string | undefined {
  const at = name.indexOf("@");
  return at < 0 || at + 1 === name.length ? undefined : name.slice(at + 1);
}

/** A collection for each space: another model's vectors are never compared with these. */
export function collectionNameOf(space: EmbeddingSpaceId): string {
  return `memories-${sha256(space).slice(0, 16)}`;
}

/** `undefined` before the first start. @throws LociError `DATA_DIRECTORY_CORRUPT` */
export async function readIndexRecord(ledger: Pick<Ledger, "settings">): Promise<IndexRecord | undefined> {
  return parseRecord(await ledger.settings.get(undefined, settingName));
}

/**
 * Changes the record in one step: when another server changes it meanwhile, the change is made anew of what it wrote.
 *
 * @throws LociError `DATA_DIRECTORY_CORRUPT`, and what `change` throws
 */
export async function changeIndexRecord(
  { settings }: Pick<Ledger, "settings">,
  change: (recorded: IndexRecord | undefined) => IndexRecord,
): Promise<void> {
  for (;;) {
    const value = await settings.get(undefined, settingName);
    const changed = JSON.stringify(change(parseRecord(value)));
    if (changed === value || (await settings.compareAndSet(undefined, settingName, value, changed))) return;
  }
}

function parseRecord(value: string | undefined): IndexRecord | undefined {
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

/** Whether two servers are configured alike, so that a move by one of them is meant for the other, too. */
export function sameConfiguration(one: IndexRecord["configured"], other: IndexRecord["configured"]): boolean {
  return one.place === other.place && one.embedder === other.embedder;
}

/** Whose former indexes are, where they belong to one of several servers; `undefined` when all share them. */
export function ownerOfFormer({ projections }: FormerIndexes): string | undefined {
  const owners = new Set(projections.map(ownerOfProjection));
  return owners.size === 1 ? [...owners][0] : undefined;
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

import { type EmbeddingSpace, embeddingSpaceId, LociError } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { DeclaredMetadata } from "./declared-metadata.ts";
import type { TextAnalyses } from "./text-analyses.ts";
import { isAheadOfLedger } from "./ahead-of-ledger.ts";
import { IndexHistory } from "./index-history.ts";
import type { IndexOwners, IndexPlaces, OpenPlace } from "./index-places.ts";
import { collectionNameOf, projectionNames, readIndexRecord } from "./index-record.ts";

/** Of an index that was made before anything of it was recorded. */
const firstContents = "english []";

/** What decides what stands in an index, besides the log. */
export interface IndexContents {
  readonly ledger: Ledger;
  readonly analyses: TextAnalyses;
  readonly metadata: DeclaredMetadata;
  readonly places: IndexPlaces;
}

/** An open place, and what is known of the ledger its indexes follow. */
export interface FollowingPlace extends OpenPlace {
  readonly history: IndexHistory | undefined;
  /**
   * Rejects once another server that shares the indexes has had them made for something else: what this one would write does not
   * belong there. Absent where nobody shares them.
   *
   * @throws LociError `DATA_DIRECTORY_TOO_NEW` when it is of a newer version, else `INVALID_CONFIGURATION`
   */
  readonly checkContents?: (() => Promise<void>) | undefined;
}

/**
 * Opens a place whose indexes hold what this configuration finds by, and follow this ledger as it is. Where they were made
 * for another language or other metadata, by an analyser of another version or under another encryption key, follow another ledger, or one that was put
 * back to an earlier state, what is there is removed, and drainers build it again from the log; until they have caught up,
 * recall says `INDEX_BEHIND`. Costs no embedding: vectors come from the ledger. What a newer version has made for all servers that
 * share it is left alone: an older one would have them all begin again whenever it is started.
 *
 * @param used the history of the place, when it is in use here already
 * @throws LociError `DATA_DIRECTORY_CORRUPT` for an empty ledger beside indexes of another one; `DATA_DIRECTORY_TOO_NEW` for
 *   indexes that several servers share, when a newer version has made them
 */
export async function openForContents(
  contents: IndexContents,
  place: string,
  space: EmbeddingSpace,
  used?: IndexHistory,
): Promise<FollowingPlace> {
  const { ledger, places } = contents;
  const opened = await places.open(place);
  const { owners, note } = opened;
  const owner = owners?.vectors ?? owners?.text;
  const name = owner === undefined ? place : `${place}@${owner}`;
  const history = used ?? (note && new IndexHistory(ledger, note, `index-history:${name}`));
  const setting = `index-contents:${name}`;
  const wanted = fingerprintOf(contents);
  const recorded = (await ledger.settings.get(undefined, setting)) ?? firstContents;
  const isOther = recorded !== wanted;
  const isShared = owner === undefined && ledger.askForLease !== undefined;
  if (isShared && isOlder(wanted, recorded) && (await holdsAnything(ledger, opened)))
    throw otherContents(place, recorded, wanted);
  const isForeign = used === undefined && (await followsAnother(ledger, opened, history, space));
  if (isForeign || (isOther && (await ledger.tenants({ limit: 1 })).length > 0)) {
    await places.drop(place);
    for (const projection of await projectionsOf(ledger, place, space, owners))
      await ledger.resetProjection(projection);
  }
  if (isOther) await ledger.settings.set(undefined, setting, wanted);
  const { vectorStore, textIndex } = await places.open(place);
  await history?.renew();
  const checkContents = async (): Promise<void> => {
    const made = await ledger.settings.get(undefined, setting);
    if (made !== wanted) throw otherContents(place, made ?? firstContents, wanted);
  };
  return { vectorStore, textIndex, owners, note, history, checkContents: isShared ? checkContents : undefined };
}

/** Whether words are made by rules of an older version than those that an index has been made by. */
function isOlder(wanted: string, recorded: string): boolean {
  return analyserVersionOf(wanted) < analyserVersionOf(recorded);
}

function analyserVersionOf(fingerprint: string): number {
  return Number(/^[^ /]+\/(\d+) /u.exec(fingerprint)?.[1] ?? 0);
}

async function holdsAnything(ledger: Pick<Ledger, "tenants">, { textIndex }: OpenPlace): Promise<boolean> {
  for (const tenant of await ledger.tenants()) if ((await textIndex.checkpoint(tenant)) > 0) return true;
  return false;
}

function otherContents(place: string, recorded: string, wanted: string): LociError {
  if (isOlder(wanted, recorded))
    return new LociError("DATA_DIRECTORY_TOO_NEW", {
      message:
        `A newer Loci has made the indexes "${place}" by version ${analyserVersionOf(recorded)} of the rules for words, and this ` +
        `version of Loci knows only up to ${analyserVersionOf(wanted)}. It writes nothing into them.`,
      resource: place,
      advice:
        "Start the newer version in place of this one. To stay on this version, stop all newer servers, remove the indexes, and " +
        "start this one again: it fills them from the ledger.",
    });
  return new LociError("INVALID_CONFIGURATION", {
    message:
      `The indexes "${place}" were made for other settings by a server that was started later: ${recorded}. This one has ` +
      `${wanted}, and writes nothing into them.`,
    resource: place,
    advice:
      "Give all servers of the ledger the same version of Loci, `language` and `metadata` fields, and start this one again. " +
      "What was written stands in the ledger, and the other server brings it into the indexes.",
  });
}

async function followsAnother(
  ledger: Ledger,
  opened: OpenPlace,
  history: IndexHistory | undefined,
  space: EmbeddingSpace,
): Promise<boolean> {
  const state = (await history?.state()) ?? "unclear";
  return state === "unclear" ? isAheadOfLedger(ledger, opened, space) : state === "other";
}

function fingerprintOf({ ledger: { encryption }, analyses, metadata }: IndexContents): string {
  const { language, version } = analyses.analyser;
  const blinding = encryption === undefined ? "" : ` blinded by ${encryption.blinding}`;
  return `${language}/${version} ${metadata.fingerprint}${blinding}`;
}

/** What follows the log into this place, or did. */
async function projectionsOf(
  ledger: Ledger,
  place: string,
  space: EmbeddingSpace,
  owners: IndexOwners | undefined,
): Promise<ReadonlySet<string>> {
  const former = (await readIndexRecord(ledger))?.former ?? [];
  return new Set([
    ...Object.values(projectionNames(place, collectionNameOf(embeddingSpaceId(space)), owners)),
    ...former.filter((one) => one.place === place).flatMap(({ projections }) => projections),
  ]);
}

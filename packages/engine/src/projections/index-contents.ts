import { type EmbeddingSpace, embeddingSpaceId } from "@loci/domain";
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
}

/**
 * Opens a place whose indexes hold what this configuration finds by, and follow this ledger as it is. Where they were made
 * for another language or other metadata, or by an analyser of another version, follow another ledger, or one that was put
 * back to an earlier state, what is there is removed, and drainers build it again from the log; until they have caught up,
 * recall says `INDEX_BEHIND`. Costs no embedding: vectors come from the ledger.
 *
 * @param used the history of the place, when it is in use here already
 * @throws LociError `DATA_DIRECTORY_CORRUPT` for an empty ledger beside indexes of another one
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
  const isOther = ((await ledger.settings.get(undefined, setting)) ?? firstContents) !== wanted;
  const isForeign = used === undefined && (await followsAnother(ledger, opened, history, space));
  if (isForeign || (isOther && (await ledger.tenants({ limit: 1 })).length > 0)) {
    await places.drop(place);
    for (const projection of await projectionsOf(ledger, place, space, owners))
      await ledger.resetProjection(projection);
  }
  if (isOther) await ledger.settings.set(undefined, setting, wanted);
  const { vectorStore, textIndex } = await places.open(place);
  await history?.renew();
  return { vectorStore, textIndex, owners, note, history };
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

function fingerprintOf({ analyses, metadata }: IndexContents): string {
  const { language, version } = analyses.analyser;
  return `${language}/${version} ${metadata.fingerprint}`;
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

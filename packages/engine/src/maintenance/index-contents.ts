import { type EmbeddingSpace, embeddingSpaceId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { DeclaredMetadata } from "../declared-metadata.ts";
import type { TextAnalyses } from "../text-analyses.ts";
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

/**
 * Opens a place whose indexes hold what this configuration finds by. Where they were made for another language or other
 * metadata, or by an analyser of another version, what is there is removed, and drainers build it again from the log; until they have caught up, recall says
 * `INDEX_BEHIND`. Costs no embedding: vectors come from the ledger.
 */
export async function openForContents(
  contents: IndexContents,
  place: string,
  space: EmbeddingSpace,
): Promise<OpenPlace> {
  const { ledger, places } = contents;
  const { owners } = await places.open(place);
  const owner = owners?.vectors ?? owners?.text;
  const setting = owner === undefined ? `index-contents:${place}` : `index-contents:${place}@${owner}`;
  const wanted = fingerprintOf(contents);
  if (((await ledger.settings.get(undefined, setting)) ?? firstContents) !== wanted) {
    if ((await ledger.tenants()).length > 0) {
      await places.drop(place);
      for (const name of await projectionsOf(ledger, place, space, owners)) await ledger.resetProjection(name);
    }
    await ledger.settings.set(undefined, setting, wanted);
  }
  return places.open(place);
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

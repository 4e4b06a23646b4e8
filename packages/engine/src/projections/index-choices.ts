import { LociError } from "@loci/domain";
import type { TenantEmbedder } from "../embedding/text-embedding.ts";
import type { EmbedderChoice, IndexPlaces, OpenPlace } from "./index-places.ts";
import type { IndexRecord } from "./index-record.ts";

/** Which places and embedders an engine can use, and which of them the configuration names. */
export interface IndexChoices {
  readonly places: IndexPlaces;
  readonly embedders: EmbedderChoice;
  readonly configured: IndexRecord["configured"];
}

/** What an engine is given of indexes and embedders. */
export interface GivenIndexes extends Pick<OpenPlace, "vectorStore" | "textIndex"> {
  readonly embedder: TenantEmbedder;
  readonly places?: IndexPlaces | undefined;
  readonly embedders?: EmbedderChoice | undefined;
  readonly configured?: IndexRecord["configured"] | undefined;
}

/** Without a choice there are the parts that were given, and nowhere to move to. */
export function indexChoicesOf(options: GivenIndexes): IndexChoices {
  const { vectorStore, embedder } = options;
  const places: IndexPlaces = options.places ?? {
    active: vectorStore.name,
    available: [vectorStore.name],
    open: async () => options,
    close: async () => undefined,
    // What is lost at every start is built again then.
    drop: async () => refuseDurable(options),
  };
  const embedders: EmbedderChoice = options.embedders ?? {
    active: "configured",
    available: ["configured"],
    open: async () => embedder,
  };
  return {
    places,
    embedders,
    configured: options.configured ?? { place: places.active, embedder: embedders.active },
  };
}

/** @throws LociError `INVALID_CONFIGURATION` for indexes that outlive this process */
function refuseDurable({ vectorStore, textIndex }: GivenIndexes): void {
  if (!vectorStore.capabilities.durable && !textIndex.durable) return;
  throw new LociError("INVALID_CONFIGURATION", {
    message: "The indexes were made for another language or other metadata, and the engine cannot remove them.",
    advice: "Give the engine its indexes as places, or remove them and start again.",
  });
}

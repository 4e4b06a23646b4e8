import { recordCalls } from "@loci/conformance";
import { filterOperators } from "@loci/domain";
import type { TextIndex } from "../text-index.ts";
import { fullRequest, type IndexContext } from "./index-context.ts";
import { sampleTerm } from "./sample-rows.ts";

/** A text index made for one case, empty at first. */
export interface TextIndexFixture {
  readonly index: TextIndex;
  /** Opens the closed index again on what it kept. Needed for an index that is durable. */
  readonly reopen?: () => Promise<TextIndex>;
  /** Closes the index and removes all traces of it. */
  readonly destroy: () => Promise<void>;
}

export type TextMethod = Exclude<keyof TextIndex, "name" | "durable" | "reset" | "heldAmong">;

export interface TextContext extends IndexContext {
  readonly index: TextIndex;
  readonly reopen: (() => Promise<TextIndex>) | undefined;
}

export function textCaseRunner(
  open: () => Promise<TextIndexFixture>,
  visibility: IndexContext["visibility"],
): (run: (context: TextContext) => Promise<void>) => Promise<ReadonlySet<string>> {
  return async (run) => {
    const called = new Set<string>();
    const fixture = await open();
    try {
      await run(textContext(recordCalls(fixture.index, called), fixture, visibility));
    } finally {
      await fixture.destroy();
    }
    return called;
  };
}

function textContext(
  index: TextIndex,
  { reopen }: Pick<TextIndexFixture, "reopen">,
  visibility: IndexContext["visibility"],
): TextContext {
  return {
    index,
    projection: index,
    filterOperators,
    visibility,
    similarity: "exact",
    find: (request, options) => index.search({ ...fullRequest(request), terms: [sampleTerm] }, options),
    count: async (tenant) => (await index.statistics(tenant, [sampleTerm])).documents,
    reopen,
    openAgain:
      reopen === undefined || !index.durable
        ? undefined
        : async () => {
            await index.close();
            return textContext(await reopen(), { reopen }, visibility);
          },
  };
}

import { AsyncLocalStorage } from "node:async_hooks";
import type { CallbackManagerForRetrieverRun } from "@langchain/core/callbacks/manager";
import { Document, type DocumentInterface } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import { ensureConfig, type RunnableConfig } from "@langchain/core/runnables";
import { escapeText } from "@loci/core";
import {
  formatScope,
  type Loci,
  type RecallHit,
  type RecallRequest,
  type ScopeInput,
  type ScopeText,
} from "@loci/domain";

/** What a document tells of the memory that it is. */
export interface MemoryMetadata {
  readonly id: string;
  readonly scope: ScopeText;
  readonly category: string;
  /** What the memory cites, such as `ADR-007`. */
  readonly source?: string;
  /** How well it answers; higher is better. */
  readonly score: number;
  /** When it was said: ISO 8601. */
  readonly createdAt: string;
  /** What of it is over. Absent: nothing is known to be. */
  readonly outdated?: OutdatedMetadata;
}

/** Since when a memory is outdated, and what holds instead. */
export interface OutdatedMetadata {
  /** ISO 8601. */
  readonly since: string;
  /** True: something that it says is over, and the rest may hold still. False: all of it is. */
  readonly isInPart: boolean;
  /** Ids of what holds instead. They need not be among the documents: `loci.memories.getMany` reads them. */
  readonly replacedBy: readonly string[];
}

export interface LociRetrieverOptions extends BaseRetrieverInput {
  readonly loci: Loci;
  /**
   * Whose memories are looked for: a list, or what your application makes of the call's `configurable`. Never of what a model
   * or a user said.
   */
  readonly scopes: readonly ScopeInput[] | ((config: RunnableConfig) => readonly ScopeInput[] | undefined);
  /** How many, of what kind, and how they are ranked. */
  readonly recall?: Omit<RecallRequest, "query" | "scopes"> | undefined;
  /**
   * `escaped`: nothing in a text can be read as the end of a section, a tag or a role, and nothing is invisible. `raw`: as it
   * was remembered, for what no model is shown. Default `escaped`.
   */
  readonly text?: "escaped" | "raw" | undefined;
}

/** The call that is running: LangChain does not hand a retriever the signal of its caller. */
const calls = new AsyncLocalStorage<RunnableConfig>();

/** Memories as documents, best first. */
export class LociRetriever extends BaseRetriever<MemoryMetadata> {
  override lc_namespace: string[] = ["loci", "retrievers"];
  readonly #options: LociRetrieverOptions;

  static override lc_name(): string {
    return "LociRetriever";
  }

  constructor(options: LociRetrieverOptions) {
    const { loci, scopes, recall, text, ...input } = options;
    super(input);
    this.#options = { loci, scopes, recall, text };
  }

  /**
   * Finds what answers a question. Cancelling the call cancels the recall.
   *
   * @throws LociError `SCOPE_REQUIRED` when nobody said whose memories; as `Loci.recall`
   */
  override invoke(input: string, options?: RunnableConfig): Promise<DocumentInterface<MemoryMetadata>[]> {
    const config = ensureConfig(options);
    return calls.run(config, () => super.invoke(input, config));
  }

  /** What `invoke` calls. */
  override async _getRelevantDocuments(
    query: string,
    _callbacks?: CallbackManagerForRetrieverRun,
  ): Promise<DocumentInterface<MemoryMetadata>[]> {
    const { loci, recall, scopes } = this.#options;
    const config = calls.getStore() ?? {};
    const known = (typeof scopes === "function" ? scopes(config) : scopes) ?? [];
    const { hits } = await loci.recall({ ...recall, query, scopes: known }, { signal: config.signal });
    return hits.map((hit) => this.#documentOf(hit));
  }

  #documentOf({ memory, text, score, outdated }: RecallHit): Document<MemoryMetadata> {
    const shown = this.#options.text === "raw" ? (said: string) => said : escapeText;
    const { id, category, provenance, createdAt } = memory;
    return new Document({
      id,
      pageContent: shown(text),
      metadata: {
        id,
        scope: formatScope(memory.scope),
        category,
        ...(provenance === undefined ? {} : { source: shown(provenance.sourceId) }),
        score,
        createdAt: new Date(createdAt).toISOString(),
        ...(outdated === undefined ? {} : { outdated: { ...outdated, since: new Date(outdated.since).toISOString() } }),
      },
    });
  }
}

import type { DatabaseSync } from "node:sqlite";
import type { LedgerSealing } from "@loci/ledger/sql";
import { DecisionReader } from "./decision-reader.ts";
import { EmbeddingReader } from "./embedding-reader.ts";
import { KnownAtReader } from "./known-at-reader.ts";
import { LogReader } from "./log-reader.ts";
import { MaintenanceReader } from "./maintenance-reader.ts";
import { MemoryReader } from "./memory-reader.ts";
import { NewestFirst } from "./newest-first.ts";
import { OrderedRefsReader } from "./ordered-refs.ts";
import type { RecentMemories } from "./recent-memories.ts";
import type { RecentTags } from "./recent-tags.ts";
import { ResourceReader } from "./resource-reader.ts";
import { RequestReader } from "./request-reader.ts";
import { ScopeCounts } from "./scope-counts.ts";
import { StandingReader } from "./standing-reader.ts";
import { TagReader } from "./tag-reader.ts";

/** What a ledger's readers read from. */
export interface LedgerReadersParts {
  /** Must observe the writer. */
  readonly recentMemories: RecentMemories;
  /** Must observe the writer. */
  readonly recentTags: RecentTags;
  readonly reader: DatabaseSync;
  /** Reads what concerns all tenants. */
  readonly overview: DatabaseSync;
  readonly sealing: LedgerSealing;
  readonly requestRetentionMilliseconds: number;
}

/** Who reads which of a ledger's tables. */
export interface LedgerReaders {
  readonly memories: MemoryReader;
  readonly newestFirst: NewestFirst;
  readonly knownAt: KnownAtReader;
  readonly tags: TagReader;
  readonly standing: StandingReader;
  readonly scopeCounts: ScopeCounts;
  readonly orderedRefs: OrderedRefsReader;
  readonly log: LogReader;
  readonly maintenance: MaintenanceReader;
  readonly embeddings: EmbeddingReader;
  readonly requests: RequestReader;
  readonly decisions: DecisionReader;
  readonly resources: ResourceReader;
}

export function makeLedgerReaders(parts: LedgerReadersParts): LedgerReaders {
  const { reader, overview, sealing } = parts;
  return {
    memories: new MemoryReader(reader, parts.recentMemories, sealing),
    newestFirst: new NewestFirst(reader, sealing),
    knownAt: new KnownAtReader(reader),
    tags: new TagReader(reader, parts.recentTags, sealing),
    standing: new StandingReader(reader),
    scopeCounts: new ScopeCounts(reader),
    orderedRefs: new OrderedRefsReader(reader, sealing),
    log: new LogReader(reader, overview, sealing),
    maintenance: new MaintenanceReader(reader, overview),
    embeddings: new EmbeddingReader(reader, overview),
    requests: new RequestReader(reader, parts.requestRetentionMilliseconds),
    decisions: new DecisionReader(reader, sealing),
    resources: new ResourceReader(reader, sealing),
  };
}

import type { DatabaseSync } from "node:sqlite";
import type { Instant, Ref, Version } from "@loci/domain";
import {
  type KnownMemory,
  type KnownResource,
  type KnownState,
  keysOf,
  type LedgerSealing,
  placedKey,
  placedText,
  planCommits,
  resourcesOf,
} from "@loci/ledger/sql";
import { DecisionWriter } from "./decision-writer.ts";
import { EmbeddingWriter } from "./embedding-writer.ts";
import type { InternedNames } from "./interned-names.ts";
import { MemoryWriter } from "./memory-writer.ts";
import type { ModelUsageWriter } from "./model-usage-writer.ts";
import { prepareQuery, prepareStep, type Query, type Step } from "./query.ts";
import { ResourceWriter } from "./resource-writer.ts";
import { RequestWriter } from "./request-writer.ts";
import type { CommitOperation, CommitResult, WriterSettings } from "./write-operation.ts";

/** Commits batches inside the transaction that is open. Whoever opened it rolls back when this throws. */
export class CommitWriter {
  readonly #names: InternedNames;
  readonly #memories: MemoryWriter;
  readonly #resources: ResourceWriter;
  readonly #embeddings: EmbeddingWriter;
  readonly #requests: RequestWriter;
  readonly #decisions: DecisionWriter;
  readonly #modelUsage: ModelUsageWriter;
  readonly #head: Query<{ head: number; recorded_at: number }>;
  readonly #advance: Step;

  constructor(
    database: DatabaseSync,
    names: InternedNames,
    modelUsage: ModelUsageWriter,
    sealing: LedgerSealing,
    settings: WriterSettings,
  ) {
    this.#modelUsage = modelUsage;
    this.#names = names;
    this.#memories = new MemoryWriter(database, names, sealing);
    this.#resources = new ResourceWriter(database, names, sealing);
    this.#embeddings = new EmbeddingWriter(database, names);
    this.#requests = new RequestWriter(database, settings.requestRetentionMilliseconds);
    this.#decisions = new DecisionWriter(database, sealing);
    this.#head = prepareQuery(database, "SELECT head, recorded_at FROM tenants WHERE id = ?");
    this.#advance = prepareStep(database, "UPDATE tenants SET head = ?, recorded_at = ? WHERE id = ?");
  }

  /** Each batch by itself: what the one before it has written is read again. */
  commit(operation: CommitOperation, now: Instant): CommitResult {
    const tenant = this.#names.tenant(operation.tenant);
    const known = this.#known(tenant, operation, now);
    const plan = planCommits(known, [operation]);
    const [outcome] = plan.outcomes;
    if (outcome === undefined) throw new TypeError("A batch was decided nothing about.");
    if (!outcome.succeeded) throw outcome.error;
    const { committed } = outcome;
    if (committed.replayed) return { committed, firstEmbeddings: [] };
    const firstEmbeddings: number[] = [];
    for (const [index, embedding] of operation.embeddings.entries())
      if (this.#embeddings.write(tenant, embedding, operation.values)) firstEmbeddings.push(index);
    this.#memories.write(tenant, operation.tenant, plan);
    this.#resources.write(tenant, operation.tenant, plan);
    if (plan.head > known.end.head) this.#advance(plan.head, plan.recordedAt, tenant);
    if (operation.modelUsage !== undefined) this.#modelUsage.add(tenant, operation.modelUsage);
    for (const decision of plan.decisions) this.#decisions.write(tenant, operation.tenant, decision);
    for (const answer of plan.answers) this.#requests.write(tenant, answer, now);
    return { committed, firstEmbeddings };
  }

  prune(now: Instant): void {
    this.#requests.prune(now);
  }

  #known(tenant: number, operation: CommitOperation, now: Instant): KnownState {
    const { head, recorded_at: recordedAt } = this.#head.get(tenant) ?? { head: 0, recorded_at: 0 };
    const answers = this.#requests.known(tenant, operation, now);
    // What was answered is not decided about again.
    const isAnswered = answers.size > 0;
    return {
      end: { head, recordedAt, now },
      answers,
      memories: isAnswered ? new Map() : this.#knownMemories(tenant, operation),
      resources: isAnswered ? new Map() : this.#knownResources(tenant, operation),
      texts: isAnswered ? new Map() : this.#knownTexts(tenant, operation),
      keys: isAnswered ? new Map() : this.#knownKeys(tenant, operation),
    };
  }

  /** Of a batch most texts are new. */
  #knownTexts(tenant: number, { expectTexts }: CommitOperation): ReadonlyMap<string, ReadonlyMap<Ref, Version>> {
    const known = new Map<string, ReadonlyMap<Ref, Version>>();
    for (const { scope, textKey } of expectTexts) {
      const found = this.#memories.withText(tenant, scope, textKey);
      if (found !== undefined) known.set(placedText(scope, textKey), found);
    }
    return known;
  }

  #knownKeys(tenant: number, operation: CommitOperation): ReadonlyMap<string, Ref> {
    const known = new Map<string, Ref>();
    for (const { scope, key } of keysOf(operation)) {
      const ref = this.#memories.withKey(tenant, operation.tenant, scope, key);
      if (ref !== undefined) known.set(placedKey(scope, key), ref);
    }
    return known;
  }

  #knownMemories(tenant: number, operation: CommitOperation): ReadonlyMap<Ref, KnownMemory> {
    const { expect, changes, decisions } = operation;
    const wanted = new Map<Ref, boolean>();
    for (const { ref } of [...expect, ...decisions]) wanted.set(ref, false);
    for (const { ref, type } of changes)
      if (type !== "resource") wanted.set(ref, wanted.get(ref) === true || type !== "embeddingRecorded");
    const known = new Map<Ref, KnownMemory>();
    for (const [ref, whole] of wanted) {
      const memory = this.#memories.known(tenant, operation.tenant, ref, whole);
      if (memory !== undefined) known.set(ref, memory);
    }
    return known;
  }

  #knownResources(tenant: number, { expect, changes }: CommitOperation): ReadonlyMap<Ref, KnownResource> {
    const known = new Map<Ref, KnownResource>();
    for (const ref of resourcesOf(changes, expect)) {
      const resource = this.#resources.known(tenant, ref);
      if (resource !== undefined) known.set(ref, resource);
    }
    return known;
  }
}

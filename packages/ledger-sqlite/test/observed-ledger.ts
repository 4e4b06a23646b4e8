import { unsealed } from "@loci/ledger/sql";
import { deepEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { CallSignal, LociError, type Ref } from "@loci/domain";
import type { CommitBatch, Ledger, StoredMemory } from "@loci/ledger";
import { openForReading } from "../src/connection.ts";
import { MemoryReader } from "../src/memory-reader.ts";
import { prepareQuery, type Query } from "../src/query.ts";
import { ReadingPace } from "../src/reading-pace.ts";
import { RecentMemories } from "../src/recent-memories.ts";
import { RecentTags } from "../src/recent-tags.ts";
import { TagReader } from "../src/tag-reader.ts";
import { refNumber, sampleBatch, sampleMemory, tenant } from "./samples.ts";

/** Memories that exist at a time. */
export const memoryCount = 5;

/** What is asked about tags: where all memories are. */
const tagsOfFacts = { scopes: [sampleMemory(0).scope], category: "fact" } as const;

/** Something that is begun and not waited for. Places name memories. */
type WriteStep =
  | { readonly type: "write" | "remove" | "use" | "show" | "purge"; readonly places: readonly number[] }
  | { readonly type: "purgeAll" | "replay" | "cancel" | "scrub" };

/** `microtask` and `turn` let others go on; `settle` waits for everything that was begun, and reads all. */
export type LedgerStep =
  | WriteStep
  | { readonly type: "read"; readonly places: readonly number[] }
  | { readonly type: "microtask" | "turn" | "settle" };

/** A ledger that is written and read at the same time. Every read is compared with what its file has. */
export class ObservedLedger {
  readonly #ledger: Ledger;
  readonly #file: DatabaseSync;
  readonly #version: Query<{ version: number }>;
  readonly #underWay: Promise<unknown>[] = [];
  readonly #pace = new ReadingPace(new CallSignal(undefined), () => undefined);
  /** How often the memory in each place was purged: what is written there next is another one. */
  readonly #purges = Array.from({ length: memoryCount }, () => 0);
  readonly #given = new Set<StoredMemory>();
  #writes = 0;
  #repeatable: CommitBatch | undefined;
  /** How often somebody was given what somebody had been given before. */
  givenAgain = 0;

  constructor(ledger: Ledger, directory: string) {
    this.#ledger = ledger;
    this.#file = openForReading(join(directory, "ledger.sqlite"));
    this.#version = prepareQuery(this.#file, "SELECT version FROM memories WHERE ref = ?");
  }

  close(): void {
    this.#file.close();
  }

  async take(step: LedgerStep): Promise<void> {
    switch (step.type) {
      case "read":
        return this.#read(step.places.flatMap((place) => this.#everIn(place)));
      case "microtask":
        return Promise.resolve();
      case "turn":
        return setImmediate();
      case "settle":
        await Promise.all(this.#underWay.splice(0));
        return this.#read([...this.#purges.keys()].flatMap((place) => this.#everIn(place)));
      default:
        this.#underWay.push(this.#begin(step).catch(expectRefusal));
    }
  }

  #begin(step: WriteStep): Promise<unknown> {
    switch (step.type) {
      case "write":
        return this.#ledger.commit((this.#repeatable = this.#edit(step.places)));
      case "replay":
        return this.#ledger.commit(this.#repeatable ?? this.#edit([0]));
      case "cancel": {
        const controller = new AbortController();
        const commit = this.#ledger.commit(this.#edit([0]), { signal: controller.signal });
        controller.abort();
        return commit;
      }
      case "remove":
        return this.#ledger.commit({
          ...sampleBatch([], []),
          changes: step.places.map((place) => {
            const ref = this.#refIn(place);
            return { type: "memoryRemoved", ref, version: this.#versionOf(ref) + 1, removedAt: this.#writes++ };
          }),
        });
      case "use":
        return this.#ledger.recordUsage(
          tenant,
          [...step.places, ...step.places].map((place) => ({ ref: this.#refIn(place), at: this.#writes++ })),
        );
      case "show":
        return this.#ledger.recordShown(
          tenant,
          step.places.map((place) => this.#refIn(place)),
        );
      case "purge":
        return this.#ledger.purge(tenant, { refs: step.places.map((place) => this.#purgedFrom(place)) });
      case "purgeAll":
        for (const place of this.#purges.keys()) this.#purgedFrom(place);
        return this.#ledger.purge(tenant, { everything: true });
      case "scrub":
        return this.#ledger.maintain({ scrub: true });
    }
  }

  #edit(places: readonly number[]): CommitBatch {
    const memories = places.map((place) => {
      const ref = this.#refIn(place);
      const tags = [`tag ${this.#writes % 3}`];
      return sampleMemory(0, { id: ref, version: this.#versionOf(ref) + 1, text: `write ${this.#writes}`, tags });
    });
    const idempotency = { method: "edit", requestId: `${this.#writes}`, bodyHash: "body" };
    return { ...sampleBatch(memories, [this.#writes++]), idempotency };
  }

  /** All reads are made before anything else can happen: of what is being written one commit may come between. */
  async #read(refs: readonly Ref[]): Promise<void> {
    const reads = [this.#inFile(refs), this.#ledger.memories(tenant, refs), this.#inFile(refs)] as const;
    const tags = [this.#tagsInFile(), this.#ledger.tags(tenant, tagsOfFacts), this.#tagsInFile()] as const;
    const [before, given, after] = await Promise.all(reads);
    const [tagsBefore, tagsGiven, tagsAfter] = await Promise.all(tags);
    if (!isDeepStrictEqual(tagsGiven, tagsBefore)) deepEqual(tagsGiven, tagsAfter);
    for (const ref of refs) {
      const stored = given.get(ref);
      if (!isDeepStrictEqual(stored, before.get(ref))) deepEqual(stored, after.get(ref));
      if (stored === undefined) continue;
      if (this.#given.has(stored)) this.givenAgain++;
      this.#given.add(stored);
    }
  }

  #inFile(refs: readonly Ref[]): Promise<ReadonlyMap<Ref, StoredMemory>> {
    return new MemoryReader(this.#file, new RecentMemories(), unsealed).current(tenant, refs, this.#pace);
  }

  #tagsInFile(): Promise<readonly string[]> {
    const { scopes, category } = tagsOfFacts;
    return new TagReader(this.#file, new RecentTags(), unsealed).ofCategory(tenant, scopes, category, this.#pace);
  }

  #versionOf(ref: Ref): number {
    return this.#version.get(ref)?.version ?? 0;
  }

  #refIn(place: number): Ref {
    return refNumber(place + memoryCount * (this.#purges[place] ?? 0));
  }

  /** Also the one that was there before, which was purged. */
  #everIn(place: number): readonly Ref[] {
    const last = this.#purges[place] ?? 0;
    return last === 0 ? [this.#refIn(place)] : [refNumber(place + memoryCount * (last - 1)), this.#refIn(place)];
  }

  #purgedFrom(place: number): Ref {
    const ref = this.#refIn(place);
    this.#purges[place] = (this.#purges[place] ?? 0) + 1;
    return ref;
  }
}

function expectRefusal(error: unknown): void {
  ok(error instanceof LociError);
  ok(["VERSION_CONFLICT", "MEMORY_ERASED", "CANCELLED"].includes(error.reason), error.message);
}

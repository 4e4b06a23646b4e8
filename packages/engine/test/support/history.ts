import {
  formatScope,
  type Loci,
  type Memory,
  type MemoryId,
  type RecallResult,
  type ScopeText,
  type TenantId,
} from "@loci/domain";
import assert from "node:assert/strict";
import fc from "fast-check";
import type { TestEngine } from "./test-engine.ts";

/** What a memory is known to be, kept beside Loci in the simplest way. */
interface Known {
  readonly memory: Memory;
  readonly text: string;
  readonly scope: ScopeText;
  readonly isForgotten: boolean;
  readonly versions: readonly string[];
}

const words = ["deploy", "theme", "lunch", "music", "tuesday", "orchard", "survey", "light"];
const scopes: readonly ScopeText[] = ["user:alice", "user:bob", "project:a:b", "global"];

const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }).map((chosen) => chosen.join(" "));
const scope = fc.constantFrom(...scopes);
/** Which memory an operation is about: an index into those there are. */
const pick = fc.nat({ max: 1_000 });

export type Operation =
  | { readonly type: "remember"; readonly texts: readonly string[]; readonly scope: ScopeText }
  | { readonly type: "update" | "restore"; readonly pick: number; readonly text: string }
  | { readonly type: "forget" | "use"; readonly pick: number }
  | { readonly type: "pause" | "resume" | "settle" | "reopen" | "embedderFails" | "embedderWorks" }
  | { readonly type: "recall"; readonly query: string; readonly scopes: readonly ScopeText[] };

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("remember" as const),
      texts: fc.array(text, { minLength: 1, maxLength: 4 }),
      scope,
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom("update" as const, "restore" as const), pick, text }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constantFrom("forget" as const, "use" as const), pick }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom("settle" as const, "resume" as const) }) },
  // What happens between an index that has caught up and one that is held back is what overlays are about.
  { weight: 4, arbitrary: fc.record({ type: fc.constant("pause" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom("embedderFails" as const, "embedderWorks" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("reopen" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("recall" as const),
      query: text,
      scopes: fc.uniqueArray(scope, { minLength: 1 }),
    }),
  },
);

/** Runs one history, and checks after each step what the model foretells. */
export class History {
  readonly #opened: TestEngine;
  readonly #tenant: TenantId;
  readonly #known = new Map<MemoryId, Known>();
  #isPaused = false;

  /** @param tenant the history's own, as one engine serves many */
  constructor(opened: TestEngine, tenant: TenantId) {
    this.#opened = opened;
    this.#tenant = tenant;
  }

  async run(step: Operation): Promise<void> {
    this.#opened.now += 60_000;
    switch (step.type) {
      case "remember": {
        const inputs = step.texts.map((one) => ({ text: one, scope: step.scope }));
        const living = [...this.#known.values()].filter(({ isForgotten }) => !isForgotten);
        const memories = await this.#loci.memories.rememberMany(inputs);
        // What is known already is given new evidence; what is said twice is one memory.
        for (const [index, { text: said }] of inputs.entries()) {
          const same: readonly Known[] = living.filter((known) => known.text === said && known.scope === step.scope);
          const { id } = memories[index] as Memory;
          assert.equal(id, memories[step.texts.indexOf(said)]?.id);
          assert.equal(same.length === 0 || same.some(({ memory }) => memory.id === id), true);
        }
        for (const memory of new Map(memories.map((one) => [one.id, one])).values()) this.#note(memory);
        return;
      }
      case "update":
        return this.#update(step.pick, step.text);
      case "restore":
        return this.#restore(step.pick);
      case "forget":
        return this.#forget(step.pick);
      case "use": {
        const known = this.#pick(step.pick);
        return known === undefined ? undefined : this.#loci.memories.markUsed([known.memory.id]);
      }
      case "pause":
        if (!this.#isPaused) await this.#opened.indexesCaughtUp(this.#tenant);
        this.#isPaused = true;
        return this.#opened.engine.drainers.pause();
      case "resume":
        return this.#resume();
      case "settle":
        await this.#resume();
        return this.#loci.settled();
      case "embedderFails":
        this.#opened.embedder.state = "fails";
        return undefined;
      case "embedderWorks":
        this.#opened.embedder.state = "works";
        return undefined;
      case "reopen":
        this.#isPaused = false;
        return this.#opened.reopen();
      case "recall":
        return this.#recall(step.query, step.scopes);
    }
  }

  /** What the ledger holds is what the model knows; no index holds anything else. */
  async check(): Promise<void> {
    this.#opened.embedder.state = "works";
    await this.#resume();
    await this.#loci.settled();
    const { memories } = await this.#loci.memories.list({ scopes, pageSize: 1_000 });
    const living = [...this.#known.values()].filter(({ isForgotten }) => !isForgotten);
    assert.deepEqual(
      memories.map(({ id, text: stored, version }) => `${id} ${stored} ${version}`).toSorted(),
      living.map(({ memory, text: known, versions }) => `${memory.id} ${known} ${versions.length}`).toSorted(),
    );
    for (const { memory, versions } of this.#known.values()) {
      const stored = await this.#loci.memories.versions(memory.id);
      assert.deepEqual(
        stored.map((version) => (version.state === "deleted" ? "forgotten" : version.text)),
        versions,
      );
    }
    const refs: string[] = [];
    for await (const { ref } of this.#opened.textIndex.refs(this.#tenant)) refs.push(ref);
    assert.deepEqual(refs.toSorted(), living.map(({ memory }) => memory.id as string).toSorted());
  }

  async #recall(query: string, asked: readonly ScopeText[]): Promise<void> {
    // What was used counts, and is written down a second later: it may not come between the answers that are compared.
    await this.#opened.as({ tenant: this.#tenant, roles: ["admin"] }).maintenance.reweigh({ dryRun: true });
    const request = { query, scopes: asked, evaluationTime: this.#opened.now, limit: 50, explain: true };
    const found = withoutTimings(await this.#loci.recall(request));
    for (const { memory } of found.hits) {
      const known = this.#known.get(memory.id);
      assert.equal(known?.isForgotten, false);
      assert.equal(memory.text, known?.text);
      assert.ok(asked.includes(formatScope(memory.scope)));
    }
    const isAnswered = [...this.#known.values()].some(
      (known) => !known.isForgotten && asked.includes(known.scope) && sharesWord(known.text, query),
    );
    if (isAnswered) assert.ok(found.hits.length > 0);
    // Whether the indexes have caught up makes no difference to a single byte.
    await this.#opened.engine.drainers.pause();
    const paused = withoutTimings(await this.#loci.recall(request));
    this.#opened.engine.drainers.resume();
    await this.#opened.indexesCaughtUp(this.#tenant);
    const settled = withoutTimings(await this.#loci.recall(request));
    if (this.#isPaused) await this.#opened.engine.drainers.pause();
    assert.equal(JSON.stringify(settled), JSON.stringify(paused));
  }

  async #update(at: number, newText: string): Promise<void> {
    const known = this.#pick(at);
    if (known === undefined) return;
    const { memory } = known;
    if (known.isForgotten) {
      await assert.rejects(this.#loci.memories.update(memory.id, { text: newText }, { etag: memory.etag }));
      return;
    }
    this.#note(await this.#loci.memories.update(memory.id, { text: newText }, { etag: memory.etag }));
  }

  async #restore(at: number): Promise<void> {
    const known = this.#pick(at);
    if (known !== undefined) this.#note(await this.#loci.memories.restore(known.memory.id, 1));
  }

  async #forget(at: number): Promise<void> {
    const known = this.#pick(at);
    if (known === undefined || known.isForgotten) return;
    await this.#loci.memories.forget(known.memory.id, { etag: known.memory.etag });
    this.#known.set(known.memory.id, { ...known, isForgotten: true, versions: [...known.versions, "forgotten"] });
  }

  async #resume(): Promise<void> {
    this.#isPaused = false;
    this.#opened.engine.drainers.resume();
  }

  #note(memory: Memory): void {
    const versions = [...(this.#known.get(memory.id)?.versions ?? []), memory.text];
    assert.equal(memory.version, versions.length);
    const known = { memory, text: memory.text, scope: formatScope(memory.scope), isForgotten: false, versions };
    this.#known.set(memory.id, known);
  }

  #pick(at: number): Known | undefined {
    const all = [...this.#known.values()];
    return all[at % Math.max(1, all.length)];
  }

  get #loci(): Loci {
    return this.#opened.as({ tenant: this.#tenant });
  }
}

function withoutTimings(result: RecallResult): RecallResult {
  return { ...result, timings: {} };
}

function sharesWord(left: string, right: string): boolean {
  const asked = new Set(right.split(" "));
  return left.split(" ").some((word) => asked.has(word));
}

import assert from "node:assert/strict";
import { globalScope, type MaintenanceReport, type Ref, type Scope, type TenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { CollectionId, IndexChange, Projection, TextIndex, VectorCollection, VectorStore } from "@loci/store";
import { createEngine, type Engine } from "../engine.ts";
import type { TenantEmbedder } from "../embedding/text-embedding.ts";
import { everything } from "./behaviour-case.ts";
import type { TestApi } from "@loci/conformance";

/** An empty ledger and the indexes under test. */
export interface IndexAgreementFixture {
  readonly ledger: Ledger;
  readonly vectorStore: VectorStore;
  readonly textIndex: TextIndex;
  readonly embedder: TenantEmbedder;
  /** Closes everything and removes what was stored. */
  destroy(): Promise<void>;
}

export interface IndexAgreementOptions {
  /** Of the indexes, for the test report. */
  readonly name: string;
  readonly open: () => Promise<IndexAgreementFixture>;
}

/** What an index is kept from seeing. */
interface Faults {
  readonly lost: Set<Ref>;
  /** What it lists twice until it begins again. */
  readonly doubled: Set<Ref>;
}

interface Opened {
  readonly engine: Engine;
  readonly fixture: IndexAgreementFixture;
  readonly faults: Faults;
  readonly projections: () => readonly Projection[];
  readonly verify: (repair?: boolean) => Promise<MaintenanceReport>;
  /** Writes texts in order, and gives their ids. */
  readonly remember: (texts: readonly string[]) => Promise<readonly Ref[]>;
  readonly settled: () => Promise<void>;
}

const { tenant } = everything;
const caseTimeoutMilliseconds = 60_000;
const texts = ["deploy on tuesday", "the theme is dark", "lunch at noon", "music while coding", "orchard in spring"];

/**
 * What verification finds and mends on one kind of index: rows that were lost, that are old, and that nobody wrote.
 * Registers its tests with the given runner.
 */
export function indexAgreement(testApi: TestApi, { name, open }: IndexAgreementOptions): void {
  const test = (caseName: string, run: (opened: Opened) => Promise<void>): void =>
    testApi.test(
      caseName,
      async () => {
        const fixture = await open();
        try {
          const opened = await openWithFaults(fixture);
          await using _closing = opened.engine;
          await run(opened);
        } finally {
          await fixture.destroy();
        }
      },
      caseTimeoutMilliseconds,
    );

  testApi.describe(`ledger and indexes: ${name}`, () => {
    test("agree after memories were written, edited and forgotten", async ({ engine, remember, verify }) => {
      const [first, second] = await remember(texts);
      const { memories } = engine.for(admin);
      const edited = await memories.get(first as Ref);
      await memories.update(edited.id, { text: "deploy on friday" }, { etag: edited.etag });
      await memories.forget(second as Ref);
      const report = await verify();
      assert.deepEqual(report.findings, []);
      assert.equal(report.counts["rows"], 2 * (texts.length - 1));
    });

    test("disagree about lost rows, which a repair brings back", async (opened) => {
      const { remember, verify, faults, settled, fixture } = opened;
      await remember(texts.slice(0, 2));
      await settled();
      const before = await rowsOf(opened);
      const id = await lostMemory(opened, texts[2] as string);
      assert.deepEqual(await rowsOf(opened), before);
      const found = await verify();
      assert.deepEqual(reasonsOf(found), [`MISSING_ROW ${id}`, `MISSING_ROW ${id}`]);
      assert.equal(found.counts["repaired"], 0);
      faults.lost.clear();
      const mended = await verify(true);
      assert.deepEqual([mended.counts["repaired"], mended.counts["remaining"]], [2, 0]);
      assert.deepEqual((await verify()).findings, []);
      await settled();
      assert.deepEqual(await firstFound(opened, texts[2] as string), [id]);
      assert.equal((await fixture.ledger.memories(tenant, [id])).size, 1);
    });

    test("disagree about old rows, which a repair replaces", async (opened) => {
      const { engine, remember, verify, faults, settled } = opened;
      const [first] = await remember(texts);
      await settled();
      const memory = await engine.for(admin).memories.get(first as Ref);
      faults.lost.add(memory.id);
      await engine.for(admin).memories.update(memory.id, { text: "picnic in june" }, { etag: memory.etag });
      await settled();
      faults.lost.clear();
      const found = await verify();
      assert.deepEqual(reasonsOf(found), [`STALE_ROW ${memory.id}`, `STALE_ROW ${memory.id}`]);
      assert.deepEqual(found.findings[0]?.details["expectedVersion"], "2");
      assert.equal((await verify(true)).counts["repaired"], 2);
      assert.deepEqual((await verify()).findings, []);
      assert.deepEqual(await firstFound(opened, "picnic in june"), [memory.id]);
    });

    test("disagree about foreign rows, which a repair removes", async (opened) => {
      const { engine, remember, verify, projections, fixture } = opened;
      const [, second] = await remember(texts);
      const forgotten = second as Ref;
      const foreign = "01900000-0000-7000-8000-00000000f0e1" as Ref;
      await opened.settled();
      opened.faults.lost.add(forgotten);
      await engine.for(admin).memories.forget(forgotten);
      await opened.settled();
      opened.faults.lost.clear();
      const head = await fixture.ledger.head(tenant);
      for (const projection of projections()) await projection.apply(tenant, [foreignRow(opened, foreign)], head);
      const found = await verify();
      const expected = [forgotten, foreign].map((ref) => `FOREIGN_ROW ${ref}`);
      assert.deepEqual(reasonsOf(found), [...expected, ...expected].toSorted());
      const mended = await verify(true);
      assert.deepEqual([mended.counts["repaired"], mended.counts["remaining"]], [4, 0]);
      assert.deepEqual((await verify()).findings, []);
      assert.equal((await rowsOf(opened)).includes(foreign), false);
    });

    test("disagree about rows that are there twice, which building an index again mends", async (opened) => {
      const { remember, verify, faults, settled, fixture, projections } = opened;
      const [first] = await remember(texts);
      await settled();
      faults.doubled.add(first as Ref);
      const found = await verify();
      // An index that counts its rows without listing them cannot agree with what it lists either.
      const expected = [`DOUBLED_ROW ${first}`, "MISCOUNTED_ROWS undefined"];
      assert.deepEqual(reasonsOf(found), [...expected, ...expected].toSorted());
      assert.equal(found.counts["rows"], 2 * (texts.length + 1));
      const mended = await verify(true);
      const canBeginAgain = projections().map((projection) => projection.reset !== undefined);
      assert.equal(mended.counts["rebuilt"], canBeginAgain.filter(Boolean).length);
      if (canBeginAgain.includes(false)) return;
      assert.deepEqual([mended.counts["repaired"], mended.counts["remaining"]], [4, 0]);
      assert.deepEqual((await verify()).findings, []);
      assert.deepEqual(await firstFound(opened, texts[0] as string), [first]);
      const head = await fixture.ledger.head(tenant);
      for (const projection of projections()) assert.equal(await projection.checkpoint(tenant), head);
    });

    test("are compared while others write", async (opened) => {
      const { remember, verify } = opened;
      await remember(texts);
      const load = { isRunning: true };
      const writer = (async () => {
        for (let number = 0; load.isRunning && number < 200; number++) await remember([`note ${number} of many`]);
      })();
      for (let round = 0; round < 5; round++) assert.deepEqual((await verify(round % 2 === 1)).findings, []);
      load.isRunning = false;
      await writer;
      assert.deepEqual((await verify()).findings, []);
    });
  });
}

const admin = { ...everything, roles: ["read", "write", "admin"] } as const;
const scope: Scope = globalScope;

async function openWithFaults(fixture: IndexAgreementFixture): Promise<Opened> {
  const faults: Faults = { lost: new Set(), doubled: new Set() };
  // One that is opened twice is the same.
  const collections = new Map<CollectionId, VectorCollection>();
  const vectorStore = changed(fixture.vectorStore, {
    openCollection: async (...call: Parameters<VectorStore["openCollection"]>) => {
      const collection = await fixture.vectorStore.openCollection(...call);
      collections.set(call[0], collection);
      return faulty(collection, faults);
    },
  });
  const { ledger, embedder, textIndex } = fixture;
  const problems: unknown[] = [];
  const engine = await createEngine({
    ledger,
    embedder,
    vectorStore,
    textIndex: faulty(textIndex, faults),
    reportProblem: (error) => problems.push(error),
  });
  const loci = engine.for(admin);
  return {
    engine,
    fixture,
    faults,
    projections: () => [...collections.values(), textIndex],
    verify: (repair = false) => loci.maintenance.verify({ repair }),
    remember: async (written) => {
      const made = await loci.memories.rememberMany(written.map((text) => ({ text, scope: "global" as const })));
      return made.map(({ id }) => id);
    },
    settled: () => loci.settled(),
  };
}

/** Remembers something that no index gets to see. */
async function lostMemory({ faults, remember, settled }: Opened, text: string): Promise<Ref> {
  faults.lost.add("all" as Ref);
  const [id] = await remember([text]);
  await settled();
  return id as Ref;
}

async function firstFound({ engine }: Opened, query: string): Promise<readonly Ref[]> {
  const { hits } = await engine.for(admin).recall({ query, scopes: ["global"], limit: 1 });
  return hits.map(({ memory }) => memory.id);
}

async function rowsOf({ projections }: Opened): Promise<readonly Ref[]> {
  const refs: Ref[] = [];
  for (const projection of projections()) for await (const { ref } of projection.refs(tenant)) refs.push(ref);
  return refs.toSorted();
}

function reasonsOf({ findings }: MaintenanceReport): readonly string[] {
  return findings.map(({ reason, memory }) => `${reason} ${memory}`).toSorted();
}

function foreignRow({ fixture }: Opened, ref: Ref): IndexChange {
  const vector = new Float32Array(fixture.embedder.space.dimensions);
  vector[0] = 1;
  const fields = { category: "fact", origin: "manual", trust: "trusted", isStatic: false, tags: [] };
  return { type: "upsert", ref, version: 3, scope, fields, vectors: [vector], terms: new Map([["foreign", 1]]) };
}

/** Passes changes on without those of lost memories, and lists doubled ones twice. */
function faulty<Target extends Projection>(target: Target, { lost, doubled }: Faults): Target {
  const apply: Projection["apply"] = (owner, changes, ...rest) =>
    target.apply(owner, lost.has("all" as Ref) ? [] : changes.filter(({ ref }) => !lost.has(ref)), ...rest);
  const own = new Set<Ref>();
  const refs = async function* (owner: TenantId): ReturnType<Projection["refs"]> {
    for (const ref of doubled) own.add(ref);
    for await (const row of target.refs(owner)) {
      yield row;
      if (own.has(row.ref)) yield row;
    }
  };
  const reset: Projection["reset"] = async (...call) => {
    for (const ref of own) doubled.delete(ref);
    own.clear();
    await target.reset?.(...call);
  };
  return changed(target, { apply, refs, ...(target.reset === undefined ? {} : { reset }) });
}

function changed<Target extends object>(target: Target, methods: object): Target {
  return new Proxy(target, {
    get(object, property) {
      const value: unknown = Reflect.get(Object.hasOwn(methods, property) ? methods : object, property);
      return typeof value === "function" ? (value.bind(object) as unknown) : value;
    },
  });
}

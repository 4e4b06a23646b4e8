import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Loci, LociError, type Memory, openLoci } from "@loci/loci";
import { missingNativePostgres, type PostgresPair, startPostgresPair } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const scope = "user:alice";

describe.skipIf(missingNativePostgres() !== undefined)(
  "a primary that is lost, and a standby that takes its place",
  () => {
    let parent: string;
    let pair: PostgresPair;
    beforeAll(async () => {
      parent = await mkdtemp(join(tmpdir(), "loci-failover-"));
      pair = await startPostgresPair();
      await pair.execute("CREATE ROLE service");
    });
    afterAll(async () => {
      await pair.stop();
      await rm(parent, { recursive: true, force: true });
    });

    const open = (name: string): Promise<Loci> => {
      const { connectionString } = pair;
      return openLoci({
        dataDirectory: join(parent, name),
        ledger: { kind: "postgres", connectionString, ownerConnectionString: connectionString, role: "service" },
        index: { kind: "pgvector", connectionString, schema: "loci_index" },
        tenant: "acme",
      });
    };

    test("every call is answered or says that it may be repeated, nothing acknowledged is lost, and both servers go on", async () => {
      await using first = await open("first");
      await using second = await open("second");
      const calls = new CallsMeanwhile([first, second]);
      await calls.have(40);
      await pair.losePrimary();
      // The standby answers questions. What is to be written has to be said again.
      const hits = async (): Promise<number> => {
        const { text } = calls.remembered[0] as Memory;
        return first.recall({ query: text, scopes: [scope] }).then(
          (found) => found.hits.length,
          () => 0,
        );
      };
      await expect.poll(hits).toBeGreaterThan(0);
      const failed = calls.refused.length;
      while (calls.refused.length < failed + 3) await calls.have(calls.total + 1);
      await pair.promote();
      await calls.have(calls.remembered.length + 40, "remembered");
      await calls.end();

      const reasons = calls.refused.map((error) => (error instanceof LociError ? error.reason : String(error)));
      expect(new Set(reasons)).toEqual(new Set(["STORE_UNAVAILABLE"]));
      await Promise.all([first.settled(), second.settled()]);
      for (const loci of [first, second]) {
        const stored: Memory[] = [];
        let pageToken: string | undefined;
        do {
          const page = await loci.memories.list({ scopes: [scope], pageSize: 1_000, pageToken });
          stored.push(...page.memories);
          pageToken = page.nextPageToken;
        } while (pageToken !== undefined);
        const texts = stored.map(({ text }) => text);
        expect(new Set(texts).size).toBe(texts.length);
        expect(new Set(texts)).toEqual(new Set([...texts, ...calls.remembered.map(({ text }) => text)]));
        const last = calls.remembered.at(-1) as Memory;
        expect((await loci.recall({ query: last.text, scopes: [scope] })).hits[0]?.memory.id).toBe(last.id);
      }
      expect((await first.maintenance.verify()).findings).toEqual([]);
      // What one of them writes the other hears of again.
      const changes = first.memories.watch({ scopes: [scope], since: "now" })[Symbol.asyncIterator]();
      expect((await changes.next()).value).toMatchObject({ type: "reached" });
      const { id } = await second.memories.remember({ text: "The standby is the primary now.", scope });
      expect((await changes.next()).value).toMatchObject({ memory: { id } });
      await changes.return?.();
    });
  },
);

/** Remembers and recalls on several engines without a pause, until told to end. */
class CallsMeanwhile {
  readonly remembered: Memory[] = [];
  readonly refused: unknown[] = [];
  total = 0;
  #isEnding = false;
  readonly #running: Promise<unknown>;

  constructor(engines: readonly Loci[]) {
    this.#running = Promise.all(engines.flatMap((loci, index) => [this.#remember(loci, index), this.#recall(loci)]));
  }

  /** Resolves when there are so many. */
  async have(count: number, what: "remembered" | "total" = "total"): Promise<void> {
    const number = (): number => (what === "total" ? this.total : this.remembered.length);
    while (number() < count) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  async #remember(loci: Loci, engine: number): Promise<void> {
    for (let number = 0; !this.#isEnding; number++) {
      const text = `Crate ${engine}-${number} holds part ${number * 7}.`;
      await this.#call(async () => {
        this.remembered.push(await loci.memories.remember({ text, scope }));
      });
    }
  }

  async #recall(loci: Loci): Promise<void> {
    for (let number = 0; !this.#isEnding; number++)
      await this.#call(() => loci.recall({ query: `What does crate 0-${number} hold?`, scopes: [scope] }));
  }

  async #call(call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (error) {
      this.refused.push(error);
    }
    this.total++;
  }
}

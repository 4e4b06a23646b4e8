import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { connectLoci } from "@loci/client";
import { missingNativePostgres, openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { sharedConfiguration } from "./shared-configuration.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const scope = "user:alice";
/** Notes every row of an index that is written, whoever writes it. */
const noteApplied = `
  CREATE TABLE public.applied
    (part text, ref uuid, version integer, server text, at timestamptz DEFAULT clock_timestamp());
  CREATE FUNCTION public.note_applied() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO public.applied (part, ref, version, server)
      VALUES (TG_TABLE_NAME, NEW.ref, NEW.version, current_setting('application_name')); RETURN NEW; END $$;
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT table_name FROM information_schema.columns WHERE table_schema = 'loci_index' AND column_name = 'version'
        AND table_name IN (SELECT table_name FROM information_schema.columns
          WHERE table_schema = 'loci_index' AND column_name = 'ref')
    LOOP
      EXECUTE format('CREATE TRIGGER note_applied AFTER INSERT OR UPDATE ON loci_index.%I
        FOR EACH ROW EXECUTE FUNCTION public.note_applied()', name);
    END LOOP;
  END $$;
`;

describe.skipIf(missingNativePostgres() !== undefined)("two servers on one PostgreSQL, with one index", () => {
  let folder: string;
  let database: TestDatabase;
  let role: string;
  let child: ChildProcess | undefined;
  let survivor: TestServer | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "loci-takeover-"));
    database = await openTestDatabase("native");
    role = `service_${randomUUID().slice(0, 8)}`;
    await database.execute(`CREATE ROLE ${role}`);
  });
  afterAll(async () => {
    await killFirst();
    await survivor?.[Symbol.asyncDispose]();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function killFirst(): Promise<void> {
    if (child === undefined || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  /** Where a server finds the database, under a name that rows it writes can be told by. */
  function databaseAs(name: string): string {
    return `${database.connectionString}?application_name=${name}`;
  }

  async function serveInProcessOfItsOwn(): Promise<{ readonly address: string; readonly apiKey?: string }> {
    const program = join(import.meta.dirname, "serve-shared-until-killed.ts");
    const words = ["--no-warnings", "--conditions=@loci/source", program, join(folder, "first"), role];
    child = spawn(process.execPath, words, {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, LOCI_TEST_DATABASE_URL: databaseAs("first") },
    });
    const [line] = (await once(createInterface({ input: child.stdout! }), "line")) as [string];
    return JSON.parse(line) as { address: string; apiKey?: string };
  }

  test("when the one that applies the log is killed the other goes on within 10 s, and nothing is applied twice", async () => {
    const first = connectLoci(await serveInProcessOfItsOwn());
    const words: string[] = [];
    const remember = async (loci: typeof first): Promise<void> => {
      const word = `crate${words.length}x`;
      await loci.memories.remember({ text: `The key is under ${word}.`, scope });
      words.push(word);
    };
    await remember(first);
    await first.settled();
    await database.execute(noteApplied);
    // What has work to do keeps its lease.
    const load = { through: first, isRunning: true };
    const writing = (async () => {
      for (; load.isRunning; await setTimeout(10)) await remember(load.through);
    })();
    vi.stubEnv("LOCI_TEST_DATABASE_URL", databaseAs("second"));
    survivor = await startTestServer({ configuration: sharedConfiguration(role, {}) });
    const second = connectLoci({ address: survivor.address, apiKey: survivor.apiKey });
    load.through = second;
    const before = words.length;
    await expect.poll(() => words.length).toBeGreaterThan(before + 20);
    // The first one applies what the second one writes.
    expect(await database.execute("SELECT DISTINCT server FROM public.applied")).toEqual([{ server: "first" }]);

    await killFirst();
    const [killed] = await database.execute("SELECT clock_timestamp()::text AS at");
    const written = words.length;
    await expect.poll(() => words.length).toBeGreaterThan(written + 20);
    load.isRunning = false;
    await writing;
    await second.settled();
    const [takeover] = await database.execute(
      `SELECT extract(epoch FROM min(at) - '${String(killed?.["at"])}')::float8 AS seconds
        FROM public.applied WHERE server = 'second'`,
    );
    expect(takeover?.["seconds"]).toBeLessThan(10);

    for (const word of words) {
      const { hits } = await second.recall({ query: `What is under ${word}?`, scopes: [scope] });
      expect(hits[0]?.memory.text).toContain(word);
    }
    const { counts } = await second.maintenance.verify();
    expect(counts).toMatchObject({ rows: 2 * words.length, missing: 0, stale: 0, foreign: 0 });
    const applied = await database.execute(
      "SELECT count(*)::int AS times FROM public.applied GROUP BY part, ref, version",
    );
    // The first memory was applied before it was noted.
    expect(applied.length).toBe(2 * (words.length - 1));
    expect(applied.filter(({ times }) => times !== 1)).toEqual([]);
    await Promise.all([first.close(), second.close()]);
  }, 120_000);
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { type Loci, type MemoryId, openLoci } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";

// An older version serves beside a newer one during an upgrade, or after a way back: what the newer one keeps, and the older one
// has no word for, is there when the newer one looks again.

const scope = "user:alice";
const session = { scope, id: "trip" } as const;
const block = { owner: scope, label: "core_memory" } as const;

let dataDirectory: string;
beforeEach(() => (dataDirectory = mkdtempSync(join(tmpdir(), "loci-newer-"))));
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }));

const open = (): Promise<Loci> => openLoci({ tenant: "acme", dataDirectory });

/** Changes the ledger as a newer version would have written it, or looks into it. */
function inLedger<Result>(work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(dataDirectory, "ledger.sqlite"));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

test("fields that only a newer version knows go on with what is changed", async () => {
  let id: MemoryId;
  {
    await using loci = await open();
    const { memories, blocks, sessions } = loci;
    id = (await memories.remember({ text: "Alice drinks green tea.", scope })).id;
    await blocks.create({ ...block, values: { text: "## Rules\n- Never call before nine.\n" } });
    await sessions.create(session);
  }
  inLedger((database) => {
    const added = `json_set(%, '$.mood', json('{"calm":1}'))`;
    database.exec(`UPDATE changes SET record = ${added.replace("%", "record")} WHERE family = 'memories'`);
    database.exec(`UPDATE resources SET state = ${added.replace("%", "state")}`);
    database.exec(
      "UPDATE resources SET state = json_set(state, '$.header.mood', json('{\"calm\":1}')) WHERE family = 'session'",
    );
  });
  {
    await using loci = await open();
    const { memories, blocks, sessions } = loci;
    const memory = await memories.get(id);
    await memories.update(id, { text: "Alice drinks black tea." }, { etag: memory.etag });
    const { etag } = await blocks.get(block);
    await blocks.update(block, { values: { text: "## Rules\n- Never call before ten.\n" } }, { etag });
    await sessions.append(session, { expectedLast: 0, turns: [{ role: "user", content: "Book the night train." }] });
    await sessions.close(session);
    await sessions.reopen(session);
    await loci.settled();
  }
  inLedger((database) => {
    const mood = { mood: '{"calm":1}' };
    const record =
      "SELECT record -> '$.mood' AS mood FROM changes WHERE family = 'memories' ORDER BY sequence DESC LIMIT 1";
    expect(database.prepare(record).all()).toEqual([mood]);
    for (const [family, path] of [
      ["block", "$.mood"],
      ["blockOwner", "$.mood"],
      ["session", "$.mood"],
      ["session", "$.header.mood"],
    ])
      expect([
        family,
        ...database.prepare(`SELECT state -> '${path}' AS mood FROM resources WHERE family = '${family}'`).all(),
      ]).toEqual([family, mood]);
  });
});

test("a block that was removed and is made again has nothing of the one before", async () => {
  {
    await using loci = await open();
    await loci.blocks.create({ ...block, values: { text: "## Rules\n- Never call before nine.\n" } });
  }
  inLedger((database) =>
    database.exec("UPDATE resources SET state = json_set(state, '$.mood', 1) WHERE family = 'block'"),
  );
  {
    await using loci = await open();
    const { etag } = await loci.blocks.get(block);
    await loci.blocks.delete(block, { etag });
    await loci.blocks.create({ ...block, values: { text: "## Rules\n- Never call before ten.\n" } });
  }
  const state = inLedger((database) => database.prepare("SELECT state FROM resources WHERE family = 'block'").all());
  expect(JSON.stringify(state)).not.toContain("mood");
});

test("a job of a kind that only a newer version carries out waits for it", async () => {
  await (await open()).close();
  inLedger((database) => {
    database.exec("INSERT INTO tenants (name) VALUES ('acme') ON CONFLICT DO NOTHING");
    database.exec(`INSERT INTO jobs (tenant, id, kind, state, request, attempts, created_at, available_at, cancel_requested, keep_for)
      SELECT id, 'job', 'of-the-future', 'queued', '{}', 0, 1, 1, 0, 1 FROM tenants`);
  });
  {
    await using loci = await open();
    await loci.memories.remember({ text: "Alice drinks green tea.", scope });
    await loci.settled();
    await setTimeout(1_200);
  }
  expect(inLedger((database) => database.prepare("SELECT state, attempts, worker FROM jobs").all())).toEqual([
    { state: "queued", attempts: 0, worker: null },
  ]);
});

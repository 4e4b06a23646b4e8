import type { TextIndex } from "@loci/store";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { acme, alice, listed, other, refNumber, row } from "./samples.ts";
import { type OpenedStore, TestServer } from "./test-store.ts";

let server: TestServer;
let opened: OpenedStore;
let index: TextIndex;
const rows = Array.from({ length: 400 }, (_, number) =>
  row(number + 1, {
    scope: number < 300 ? alice : { kind: "user", id: "bob" },
    fields: { category: number % 2 === 0 ? "procedure" : "fact" },
    // One is too long for pages.
    terms: new Map([
      ["word", number === 7 ? 70_000 : 1 + (number % 3)],
      [`own-${number}`, 40_000],
    ]),
  }),
);

beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());
beforeEach(async () => {
  opened = await server.open({ maxConnections: 1 });
  index = opened.store.textIndex;
  await index.apply(other, rows.slice(0, 200), 200);
  for (let start = 0; start < rows.length; start += 100) {
    // oxlint-disable-next-line no-await-in-loop -- In order, so that there are several segments.
    await index.apply(acme, rows.slice(start, start + 100), start + 100);
  }
  return () => opened.destroy();
});

/** Refs in order, those that are listed twice twice. */
async function refs(): Promise<readonly string[]> {
  return (await listed(index, acme)).map(({ ref }) => ref).toSorted();
}

const everything = rows.map(({ ref }) => ref);

/** Changes pages of a tenant past the store, which has closed its connection meanwhile. */
async function breakPages(change: string): Promise<void> {
  await opened.store.close();
  const changed = await server.execute(
    `UPDATE "${opened.options.schema}".text_postings AS page SET ${change} RETURNING 1 AS one`,
  );
  expect(changed).toHaveLength(1);
  index = (await opened.reopen()).textIndex;
}

const ofOneWord = "WHERE page.tenant = 'acme' AND 'own-13' = ANY (terms)";
/** The SQL of where the posting of a word stands on its page: it is the word's only one. */
const place = "page.ends[array_position(page.terms, 'own-13')]";

test("pages that say what the rows say are listed as they are, whatever is removed, changed or begun again", async () => {
  expect(await refs()).toEqual(everything);
  const moved = row(2, { version: 2, fields: { category: "procedure" }, terms: new Map([["word", 2]]) });
  await index.apply(acme, [moved, { type: "delete", ref: refNumber(3), version: 2 }], 402);
  expect(await refs()).toEqual(everything.filter((ref) => ref !== refNumber(3)));
  await index.reset?.(acme);
  expect(await refs()).toEqual([]);
  expect(await listed(index, other)).toHaveLength(200);
});

test.each([
  ["a word that is lost leaves its text out", `numbers[${place}] = numbers[${place}] + 2 ${ofOneWord}`],
  ["a word with another frequency leaves its text out", `weights[${place}] = weights[${place}] + 65536 ${ofOneWord}`],
])("%s", async (_, change) => {
  await breakPages(change);
  const found = await refs();
  expect(found).not.toContain(refNumber(14));
  // Another text may have got the word.
  expect(found.filter((ref) => everything.includes(ref as never)).length).toBeGreaterThanOrEqual(399);
});

test("a page that is gone leaves its texts out, until the index begins again", async () => {
  await opened.store.close();
  const gone = await server.execute(
    `DELETE FROM "${opened.options.schema}".text_postings AS page ${ofOneWord} RETURNING array_length(terms, 1) AS words`,
  );
  expect(Number(gone[0]?.["words"])).toBeGreaterThan(1);
  index = (await opened.reopen()).textIndex;
  const left = await refs();
  expect(left).not.toContain(refNumber(14));
  expect(left.length).toBeLessThan(399);
  await index.reset?.(acme);
  await index.apply(acme, rows, 400);
  expect(await refs()).toEqual(everything);
});

test("a word that is there twice lists its text twice", async () => {
  const twice = (column: string): string =>
    `${column} = ${column}[1:${place}] || ${column}[${place}] || ${column}[${place} + 1:]`;
  const ends = `ends = (SELECT array_agg(CASE WHEN place >= array_position(page.terms, 'own-13') THEN own + 1 ELSE own END
    ORDER BY place) FROM unnest(page.ends) WITH ORDINALITY AS one (own, place))`;
  await breakPages(`${twice("numbers")}, ${twice("weights")}, ${ends} ${ofOneWord}`);
  expect(await refs()).toEqual([...everything, refNumber(14)].toSorted());
});

test("words of a text that has no row are listed as a row that nobody knows", async () => {
  await opened.store.close();
  await server.execute(`DELETE FROM "${opened.options.schema}".texts WHERE tenant = 'acme' AND ref = $1`, [
    refNumber(14),
  ]);
  index = (await opened.reopen()).textIndex;
  const unknown = (await refs()).filter((ref) => !everything.includes(ref as never));
  expect(unknown).toHaveLength(1);
  expect(unknown[0]).toMatch(/^00000000-0000-7000-8000-/u);
});

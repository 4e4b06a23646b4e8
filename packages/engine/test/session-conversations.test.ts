import { type Ref, tenantId, type Turn } from "@loci/domain";
import type { LedgerCheckpoints, LedgerResources, LogEntry } from "@loci/ledger";
import { expect, test } from "vitest";
import { SessionConversations } from "../src/assembly/session-conversations.ts";
import { type StoredSession, sessionKinds } from "../src/sessions/stored-session.ts";

const tenant = tenantId("acme");

/** A session of so many turns, one an entry. It began at version `since`. */
function session(lastTurn: number, { ref = "a", since = 1 }: { ref?: string; since?: number } = {}): StoredSession {
  const header = { scope: { kind: "user", id: "ann" }, id: ref, lastTurn } as StoredSession["header"];
  return { ref: ref as Ref, since, version: since + lastTurn, header };
}

/** Entries of a ledger that says how many were read. */
class Entries {
  read = 0;
  readonly #word: string;

  constructor(word = "turn") {
    this.#word = word;
  }

  readonly services: { ledger: LedgerResources & LedgerCheckpoints } = {
    ledger: {
      resources: {
        entries: async (_tenant: unknown, query: { after?: number; before?: number; limit: number; order: string }) => {
          await Promise.resolve();
          const { after = 0, before = Infinity, limit, order } = query;
          const found: LogEntry[] = [];
          for (let step = 1; step <= limit; step++) {
            const version = order === "oldestFirst" ? after + step : before - step;
            if (version <= after || version >= before) break;
            found.push(this.#entry(version));
          }
          this.read += found.length;
          return found;
        },
      },
    } as unknown as LedgerResources & LedgerCheckpoints,
  };

  #entry(version: number): LogEntry {
    const number = version - 1;
    const turn = { number, role: "user", content: `${this.#word} ${number}`, at: number, recalled: false } as Turn;
    const kind = number === 0 ? sessionKinds.written : sessionKinds.turnsAppended;
    const payload = number === 0 ? { header: { lastTurn: 0 } } : { turns: [turn] };
    return { version, kind, payload } as unknown as LogEntry;
  }
}

test("a turn more reads a turn, whatever came before", async () => {
  const entries = new Entries();
  const conversations = new SessionConversations();
  const upTo = async (lastTurn: number): Promise<number> => {
    const before = entries.read;
    const { messages, known } = await conversations.hold(entries.services, { tenant, session: session(lastTurn) });
    expect(messages).toHaveLength(lastTurn);
    expect(known.messages).toEqual(messages);
    expect(messages.at(-1)).toEqual({ role: "user", content: `turn ${lastTurn}` });
    return entries.read - before;
  };
  expect(await upTo(500)).toBeGreaterThanOrEqual(500);
  for (let last = 501; last < 510; last++) expect(await upTo(last)).toBeLessThanOrEqual(2);
  expect(await upTo(509)).toBe(0);
});

test("who asks at the same time gets the turns of their own moment, read once", async () => {
  const entries = new Entries();
  const conversations = new SessionConversations();
  const lengths = [3, 7, 5, 7, 4];
  const found = await Promise.all(
    lengths.map((lastTurn) => conversations.hold(entries.services, { tenant, session: session(lastTurn) })),
  );
  expect(found.map(({ messages }) => messages.length)).toEqual(lengths);
  expect(conversations.rowsRead).toBeLessThanOrEqual(8 + lengths.length);
});

test("a session that began anew is another one, and so is one of another tenant", async () => {
  const conversations = new SessionConversations();
  await conversations.hold(new Entries("old").services, { tenant, session: session(3) });
  const anew = await conversations.hold(new Entries("new").services, { tenant, session: session(2, { since: 2 }) });
  expect(anew.messages.map(({ content }) => content)).not.toContain("old 1");
  const other = { tenant: tenantId("other"), session: session(2) };
  const { messages } = await conversations.hold(new Entries("other").services, other);
  expect(messages.map(({ content }) => content)).toEqual(["other 1", "other 2"]);
});

test("what is kept is bounded, and those used longest ago go first", async () => {
  const conversations = new SessionConversations({ maxLength: 20_000 });
  const entries = new Entries();
  const use = async (ref: string): Promise<number> => {
    const before = conversations.rowsRead;
    await conversations.hold(entries.services, { tenant, session: session(20, { ref }) });
    return conversations.rowsRead - before;
  };
  for (const ref of ["a", "b", "a", "c", "a", "d"]) await use(ref);
  expect(await use("a")).toBe(0);
  expect(await use("b")).toBeGreaterThan(0);
});

test("sessions of which nothing was said yet are bounded, too", async () => {
  const conversations = new SessionConversations({ maxLength: 10_000 });
  const entries = new Entries();
  const use = async (ref: string, lastTurn: number): Promise<void> => {
    await conversations.hold(entries.services, { tenant, session: session(lastTurn, { ref }) });
  };
  await use("said", 1);
  for (let other = 0; other < 100; other++) await use(`silent ${other}`, 0);
  const before = conversations.rowsRead;
  await use("said", 1);
  expect(conversations.rowsRead).toBeGreaterThan(before);
});

test("a read that fails is made again by the next call", async () => {
  const conversations = new SessionConversations();
  const failing = { ledger: { resources: { entries: () => Promise.reject(new Error("gone")) } } };
  const services = failing as unknown as { ledger: LedgerResources & LedgerCheckpoints };
  await expect(conversations.hold(services, { tenant, session: session(3) })).rejects.toThrow("gone");
  const { messages } = await conversations.hold(new Entries().services, { tenant, session: session(3) });
  expect(messages).toHaveLength(3);
});

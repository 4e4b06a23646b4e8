import { type TenantId, tenantId } from "@loci/domain";
import type { CommitListener, Family } from "@loci/ledger";
import { expect, test } from "vitest";
import { NextCommit } from "../src/calls/next-commit.ts";

const acme = tenantId("acme");
const { signal: never } = new AbortController();
const long = 20_000;

/** A log that says what it is told to say. */
function fakeLog(): {
  readonly listeners: Set<CommitListener>;
  onCommitted(listener: CommitListener): () => void;
  commit(tenant: TenantId, families?: readonly Family[]): void;
} {
  const listeners = new Set<CommitListener>();
  return {
    listeners,
    onCommitted: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    commit: (tenant, families) => {
      for (const listener of listeners) listener(tenant, 1, families);
    },
  };
}

async function waited(wait: Promise<void>): Promise<number> {
  const started = performance.now();
  await wait;
  return performance.now() - started;
}

test("a commit ends the wait at once, and one that came before is not missed", async () => {
  const log = fakeLog();
  using next = new NextCommit(log, acme, "memories");
  const waiting = waited(next.wait(long, never));
  log.commit(acme, ["memories", "session"]);
  expect(await waiting).toBeLessThan(long / 2);
  // While its reader reads.
  log.commit(acme, ["memories"]);
  expect(await waited(next.wait(long, never))).toBeLessThan(long / 2);
  // A ledger that cannot tell which families.
  log.commit(acme);
  expect(await waited(next.wait(long, never))).toBeLessThan(long / 2);
});

test("commits of others end no wait; time and the signal do", async () => {
  const log = fakeLog();
  using next = new NextCommit(log, acme, "memories");
  log.commit(tenantId("globex"), ["memories"]);
  log.commit(acme, ["session"]);
  expect(await waited(next.wait(30, never))).toBeGreaterThanOrEqual(25);
  const end = new AbortController();
  const waiting = waited(next.wait(long, end.signal));
  end.abort();
  expect(await waiting).toBeLessThan(long / 2);
});

test("nobody listens any more when it is done", () => {
  const log = fakeLog();
  {
    using _next = new NextCommit(log, acme, "memories");
    expect(log.listeners.size).toBe(1);
  }
  expect(log.listeners.size).toBe(0);
});

import { setImmediate, setTimeout } from "node:timers/promises";
import { type TenantId, tenantId } from "@loci/domain";
import { missingNativePostgres } from "@loci/test-postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { CommitNotifier, type CommitNotifierOptions } from "../src/commit-notifier.ts";
import type { Connections } from "../src/connections.ts";
import { execute, openLedgerDatabase } from "./open-database.ts";
import { batchOf } from "./samples.ts";
import { startTcpProxy } from "./tcp-proxy.ts";

interface Told {
  readonly server: string;
  readonly heads: readonly (readonly [TenantId, number])[];
}

/** Connections that only take what is to be told. */
function connectionsTelling(told: Told[], onSent: () => void = () => undefined): Connections {
  const connections: Pick<Connections, "read" | "transaction" | "isClosing"> = {
    isClosing: false,
    read: async () => [],
    transaction: (_, run) => {
      const send = async (_statement: unknown, [, message]: readonly unknown[]): Promise<readonly never[]> => {
        told.push(JSON.parse(String(message)) as Told);
        onSent();
        return [];
      };
      return run(send, async () => undefined);
    },
  };
  return connections as Connections;
}

const unheard: Omit<CommitNotifierOptions, "connections"> = {
  listener: undefined,
  schema: "loci",
  pollMilliseconds: 60_000,
  reportProblem: () => undefined,
};

test("what is announced while the last message ends is told, at whatever moment", async () => {
  for (let turns = 0; turns < 20; turns++) {
    const told: Told[] = [];
    const announceLater = async (): Promise<void> => {
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      if (told.length === 1) notifier.announce(tenantId("second"), 1, []);
    };
    const notifier = new CommitNotifier({
      ...unheard,
      connections: connectionsTelling(told, () => void announceLater()),
    });
    notifier.announce(tenantId("first"), 1, []);
    await setImmediate();
    expect(told.flatMap(({ heads }) => heads.map(([tenant]) => tenant))).toEqual(["first", "second"]);
    await notifier.close();
  }
});

describe.skipIf(missingNativePostgres() !== undefined)("on PostgreSQL", () => {
  test("what was accepted before a ledger was closed is told to the others", async () => {
    await using database = await openLedgerDatabase("native");
    const listener = await database.open({ pollMilliseconds: 60_000 });
    onTestFinished(() => listener.close());
    const writer = await database.open({ pollMilliseconds: 60_000 });
    const heard: number[] = [];
    listener.onCommitted((_, head) => heard.push(head));
    const listening =
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'loci listener' AND state = 'idle' AND query <> '' AND datname = current_database()";
    await expect.poll(() => execute(database.superuser, listening)).toHaveLength(1);
    const committed = writer.commit(batchOf([1]));
    await Promise.all([committed, writer.close()]);
    await expect.poll(() => heard).toEqual([1]);
  });

  test("a connection through which nothing comes any more is replaced, and what is looked for is found meanwhile", async () => {
    await using database = await openLedgerDatabase("native");
    await using proxy = await startTcpProxy(Number(new URL(database.service).port));
    const url = new URL(database.service);
    url.port = String(proxy.port);
    const listener = { connectionString: url.href, query_timeout: 200, application_name: "listens" };
    const looks: unknown[] = [];
    const connections = connectionsTelling([]);
    connections.read = async <Row>(): Promise<readonly Row[]> => looks.splice(0) as Row[];
    const notifier = new CommitNotifier({ ...unheard, connections, listener, pollMilliseconds: 20 });
    const heard: string[] = [];
    notifier.add((tenant) => heard.push(tenant));
    const listeners = "SELECT pid FROM pg_stat_activity WHERE application_name = 'listens' AND query LIKE 'SELECT 1%'";
    await expect.poll(() => execute(database.superuser, listeners)).toHaveLength(1);
    const former = await execute(database.superuser, listeners);
    looks.push({ tenant: "before", head: 1, seen: "2026-01-01" });
    await expect.poll(() => looks).toEqual([]);
    proxy.freeze();
    await expect.poll(() => execute(database.superuser, listeners)).not.toEqual(former);
    looks.push({ tenant: "found", head: 1, seen: "2026-01-01" });
    await expect.poll(() => heard).toContain("found");
    await setTimeout(0);
    await notifier.close();
  });
});

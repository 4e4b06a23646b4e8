import type { Loci } from "@loci/loci";
import { afterEach, expect, test, vi } from "vitest";
import { Callers } from "../src/http/callers.ts";
import type { SharedServer } from "../src/http/shared-server.ts";

afterEach(() => vi.useRealTimers());

/** A server that lets everybody in, and counts how often it is asked. */
function openServer(): { readonly server: SharedServer; readonly asked: () => number } {
  let asked = 0;
  const loci = { tokens: { count: async () => void asked++ }, close: async () => undefined } as unknown as Loci;
  const server = { open: async () => ({ server: { for: () => loci } }) } as unknown as SharedServer;
  return { server, asked: () => asked };
}

const { signal } = new AbortController();

test("a clock that is set back has no credential trusted for longer", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: Date.now() });
  const { server, asked } = openServer();
  const serve = (): string => "served";
  await using callers = new Callers<string>({
    server,
    scopes: ["global"],
    tokens: undefined,
    serve,
    close: async () => undefined,
  });
  const call = (): Promise<string> => callers.with("loci_acme_key", signal, async (served) => served);
  await call();
  await call();
  expect(asked()).toBe(1);
  vi.advanceTimersByTime(11_000);
  vi.setSystemTime(Date.now() - 3_600_000);
  await call();
  expect(asked()).toBe(2);
});

test("whose parting fails is told of, and ends nothing else", async () => {
  const { server } = openServer();
  const failures: unknown[] = [];
  const failure = new Error("it does not close");
  let end = (): void => undefined;
  const callers = new Callers<string>({
    server,
    scopes: ["global"],
    tokens: undefined,
    serve: (_, over) => {
      end = over;
      return "served";
    },
    close: () => Promise.reject(failure),
    onUnexpected: (error) => failures.push(error),
  });
  await callers.with("loci_acme_key", signal, async (served) => served);
  end();
  await expect.poll(() => failures).toEqual([failure]);
  await callers[Symbol.asyncDispose]();
});

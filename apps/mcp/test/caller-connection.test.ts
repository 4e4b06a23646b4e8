import { type Loci, LociError } from "@loci/loci";
import { beforeEach, expect, test, vi } from "vitest";
import { CallerConnection } from "../src/http/caller-connection.ts";
import { SharedServer } from "../src/http/shared-server.ts";

// The servers are only names here: what is called on them is up to each test.
const opened: string[] = [];
const closed: string[] = [];
vi.mock("@loci/client", () => ({
  connectServer: ({ address }: { address: string }) => {
    opened.push(address);
    return {
      for: (key: string) => ({ name: `${key} on ${address}`, close: async () => void closed.push(`${key}'s`) }),
      close: async () => void closed.push(address),
    };
  },
}));
beforeEach(() => {
  opened.splice(0);
  closed.splice(0);
});

function nameOf(loci: Loci): string {
  return (loci as unknown as { readonly name: string }).name;
}
const named = async (loci: Loci): Promise<string> => nameOf(loci);
const gone = new LociError("SERVER_UNAVAILABLE", { message: "Gone." });

test("all callers are on one connection, each with a key of their own", async () => {
  const locate = vi.fn<() => Promise<{ address: string; apiKey: string }>>(async () => ({
    address: "server",
    apiKey: "of the directory",
  }));
  const server = new SharedServer(locate);
  const callers = ["ann", "bob", "eve"].map((key) => new CallerConnection(server, key, () => undefined));
  const names = callers.flatMap((caller) => [caller.run(named), caller.run(named)]);
  expect(new Set(await Promise.all(names))).toEqual(new Set(["ann on server", "bob on server", "eve on server"]));
  expect([opened, locate.mock.calls.length]).toEqual([["server"], 1]);
  await callers[0]?.[Symbol.asyncDispose]();
  expect(closed).toEqual(["ann's"]);
  await expect(callers[0]?.run(named)).rejects.toMatchObject({ reason: "CLOSED" });
  expect(await callers[1]?.run(named)).toBe("bob on server");
  await server[Symbol.asyncDispose]();
  expect(closed).toEqual(["ann's", "server"]);
});

test("a server that has gone elsewhere is looked for once, however many notice, and what others have there goes on", async () => {
  let found = 0;
  const server = new SharedServer(async () => ({ address: `server-${++found}` }));
  const [ann, bob, eve] = ["ann", "bob", "eve"].map((key) => new CallerConnection(server, key, () => undefined));
  const unlessFirst = async (loci: Loci): Promise<string> => {
    if (nameOf(loci).endsWith("1")) throw gone;
    return nameOf(loci);
  };
  const answer = Promise.withResolvers<string>();
  const slow = eve!.run(() => answer.promise);
  expect(await Promise.all([ann!.run(unlessFirst), bob!.run(unlessFirst)])).toEqual([
    "ann on server-2",
    "bob on server-2",
  ]);
  expect(opened).toEqual(["server-1", "server-2"]);
  expect(closed).not.toContain("server-1");
  answer.resolve("answered");
  expect(await slow).toBe("answered");
  await server[Symbol.asyncDispose]();
  expect(closed).toEqual(expect.arrayContaining(["server-1", "server-2"]));
});

test("one that is where it was is called once more on the same connection", async () => {
  const server = new SharedServer(async () => ({ address: "server", tls: { pinned: Buffer.from("a certificate") } }));
  const caller = new CallerConnection(server, "ann", () => undefined);
  const calls = vi.fn<(loci: Loci) => Promise<string>>().mockRejectedValueOnce(gone).mockImplementation(named);
  expect(await caller.run(calls)).toBe("ann on server");
  expect(opened).toEqual(["server"]);
  calls.mockRejectedValue(gone);
  await expect(caller.run(calls)).rejects.toBe(gone);
});

test("a key that is refused is told of at once, says nothing of the server, and is not tried again", async () => {
  const onRefused = vi.fn<() => void>();
  const server = new SharedServer(async () => ({ address: "server" }));
  const caller = new CallerConnection(server, "ann", onRefused);
  const refused = new LociError("CREDENTIAL_INVALID", { message: "Not one of this server's." });
  const calls = vi.fn<(loci: Loci) => Promise<never>>().mockRejectedValue(refused);
  await expect(caller.run(calls)).rejects.toBe(refused);
  expect([calls.mock.calls.length, onRefused.mock.calls.length]).toEqual([1, 1]);
});

test("a search that failed is made again by the next call, and closing ends one", async () => {
  const locked = new LociError("DATA_DIRECTORY_LOCKED", { message: "Locked." });
  const waiting = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  const locate = vi
    .fn<(signal: AbortSignal) => Promise<{ address: string }>>()
    .mockRejectedValueOnce(locked)
    .mockImplementation(waiting);
  const server = new SharedServer(locate);
  server.prepare();
  await expect(server.open()).rejects.toBe(locked);
  const [ended] = await Promise.allSettled([server.open(), server[Symbol.asyncDispose]()]);
  expect(ended).toMatchObject({ status: "rejected", reason: { reason: "CLOSED" } });
});

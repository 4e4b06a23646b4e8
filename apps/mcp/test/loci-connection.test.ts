import { type Loci, LociError } from "@loci/loci";
import { beforeEach, expect, test, vi } from "vitest";
import { LociConnection } from "../src/connection/loci-connection.ts";

// The servers are only names here: what is called on them is up to each test.
const closed: string[] = [];
vi.mock("@loci/client", () => ({
  connectLoci: ({ address }: { address: string }) => ({ address, close: async () => void closed.push(address) }),
}));
beforeEach(() => void closed.splice(0));

interface NamedServer {
  readonly address: string;
}

function nameOf(loci: Loci): string {
  return (loci as unknown as NamedServer).address;
}

const gone = new LociError("SERVER_UNAVAILABLE", { message: "Gone." });

test("looks for the server once, however many call, and again when it has gone", async () => {
  let found = 0;
  const connection = new LociConnection(async () => ({ address: `server-${++found}` }));
  connection.prepare();
  const names = Array.from({ length: 3 }, () => connection.run(async (loci) => nameOf(loci)));
  expect(await Promise.all(names)).toEqual(["server-1", "server-1", "server-1"]);

  const calls = async (loci: Loci): Promise<string> => {
    if (nameOf(loci) === "server-1") throw gone;
    return nameOf(loci);
  };
  // Those that notice at the same time end up at the same new one.
  expect(await Promise.all([connection.run(calls), connection.run(calls)])).toEqual(["server-2", "server-2"]);
  expect(closed).toEqual(["server-1"]);
  await connection[Symbol.asyncDispose]();
  expect(closed).toEqual(["server-1", "server-2"]);
});

test("a server that came back at the same address with another key is looked for, too", async () => {
  let found = 0;
  await using connection = new LociConnection(async () => ({ address: "server", apiKey: `key-${++found}` }));
  const refused = new LociError("CREDENTIAL_INVALID", { message: "Not one of this server's." });
  const calls = vi.fn<(loci: Loci) => Promise<string>>().mockRejectedValueOnce(refused).mockResolvedValue("answered");
  expect(await connection.run(calls)).toBe("answered");
  expect(found).toBe(2);
});

test("tries no more than twice, and only when the server has gone", async () => {
  await using connection = new LociConnection(async () => ({ address: "server" }));
  const calls = vi.fn<(loci: Loci) => Promise<never>>().mockRejectedValue(gone);
  await expect(connection.run(calls)).rejects.toBe(gone);
  expect(calls).toHaveBeenCalledTimes(2);
  const refused = new LociError("INVALID_SCOPE", { message: "No." });
  const refusing = vi.fn<(loci: Loci) => Promise<never>>().mockRejectedValue(refused);
  await expect(connection.run(refusing)).rejects.toBe(refused);
  expect(refusing).toHaveBeenCalledTimes(1);
});

test("a search that failed is made again by the next call", async () => {
  const locked = new LociError("DATA_DIRECTORY_LOCKED", { message: "Locked." });
  const locate = vi
    .fn<() => Promise<NamedServer>>()
    .mockRejectedValueOnce(locked)
    .mockResolvedValue({ address: "server" });
  await using connection = new LociConnection(locate);
  connection.prepare();
  await expect(connection.run(async (loci) => nameOf(loci))).rejects.toBe(locked);
  expect(await connection.run(async (loci) => nameOf(loci))).toBe("server");
});

test("closing ends a search", async () => {
  const connection = new LociConnection(
    (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
  );
  const running = connection.run(async (loci) => nameOf(loci));
  const [ended] = await Promise.allSettled([running, connection[Symbol.asyncDispose]()]);
  expect(ended).toMatchObject({ status: "rejected", reason: { reason: "CLOSED" } });
});

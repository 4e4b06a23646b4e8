import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { LociError } from "@loci/loci";
import { askOperator, Logger } from "../src/index.ts";
import { listenForOperator } from "../src/workers/operator-socket.ts";
import { failureOf } from "./test-server.ts";
import type { MovedTenant, MoveTenantOptions, TenantMover } from "../src/workers/tenant-mover.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-operator-"));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const lines: string[] = [];
beforeEach(() => void lines.splice(0));

/** @returns the path of a socket at which tenants can be moved, until the test is over */
async function listening(mover: TenantMover): Promise<string> {
  const logger = new Logger("info", (line) => lines.push(line));
  const { path, close } = await listenForOperator(folder, { mover, workers: [], logger });
  onTestFinished(close);
  return path;
}

const request = { type: "move", tenant: "acme", to: 1 } as const;

describe.skipIf(process.platform === "win32")("what the server's user asks of all shards", () => {
  test("is given up after five seconds when the server is stopped", async () => {
    const path = join(folder, "silent.sock");
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => void server.listen(path, resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const refused = failureOf(askOperator(path, request));
    await vi.advanceTimersByTimeAsync(5_000);
    const { reason, message } = await refused;
    expect(reason).toBe("SERVER_UNAVAILABLE");
    expect(message).toContain("within 5 s");
  });

  test("has as long as it needs once the server has taken it", async () => {
    const moved: MovedTenant = { tenant: "acme", from: 0, to: 1, heldMilliseconds: 50 };
    const moving = Promise.withResolvers<MovedTenant>();
    const mover = {
      move: (_tenant: string, _to: number, { onProgress }: MoveTenantOptions) => {
        onProgress?.("copy");
        return moving.promise;
      },
    } as unknown as TenantMover;
    const path = await listening(mover);
    const told = Promise.withResolvers<void>();
    const asked = askOperator(path, request, { onProgress: () => told.resolve() });
    await told.promise;
    await vi.advanceTimersByTimeAsync(600_000);
    moving.resolve(moved);
    expect(await asked).toEqual({ type: "moved", moved });
  });

  test("that fails unexpectedly is told without a reason, which the log has", async () => {
    const move = (): Promise<MovedTenant> => Promise.reject(new TypeError("a secret"));
    const path = await listening({ move } as unknown as TenantMover);
    const { reason, message } = await failureOf(askOperator(path, request));
    expect([reason, message]).toEqual(["INTERNAL", "The server has failed at it. Its log says where."]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: "error", error: "TypeError" }]);
    expect(lines.join("")).toContain("ask-operator.test");
    expect(lines.join("")).not.toContain("secret");
  });

  test("ends with whoever asked for it, and not with the server, when that one has not read what it was told", async () => {
    const { promise: asked, resolve: take } = Promise.withResolvers<MoveTenantOptions>();
    const move = (_tenant: string, _to: number, options: MoveTenantOptions): Promise<MovedTenant> => {
      take(options);
      return new Promise(() => {});
    };
    const path = await listening({ move } as unknown as TenantMover);
    const socket = connect(path);
    socket.write(`${JSON.stringify(request)}\n`);
    const { signal, onProgress } = await asked;
    for (let step = 0; step < 100; step++) onProgress?.("copy");
    // Nothing of it has been read: the other end is reset.
    socket.destroy();
    await vi.waitFor(() => expect(signal?.aborted).toBe(true));
    await new Promise((resolve) => void setImmediate(resolve));
  });

  test("is not asked for by a call that is over, and not waited for by one that ends", async () => {
    const begun = Promise.withResolvers<AbortSignal | undefined>();
    const move = vi.fn<TenantMover["move"]>().mockImplementation((_tenant, _to, { signal } = {}) => {
      begun.resolve(signal);
      return new Promise(() => {});
    });
    const path = await listening({ move } as unknown as TenantMover);
    const gone = new LociError("CANCELLED", { message: "Somebody pressed a key." });
    await expect(askOperator(path, request, { signal: AbortSignal.abort(gone) })).rejects.toBe(gone);
    expect(move).not.toHaveBeenCalled();
    const end = new AbortController();
    const asked = failureOf(askOperator(path, request, { signal: end.signal }));
    const taken = await begun.promise;
    end.abort(gone);
    expect(await asked).toBe(gone);
    await vi.waitFor(() => expect(taken?.aborted).toBe(true));
  });
});

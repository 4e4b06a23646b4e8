import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { askOperator } from "../src/index.ts";
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
    const { path, close } = await listenForOperator(folder, mover, []);
    onTestFinished(close);
    const told = Promise.withResolvers<void>();
    const asked = askOperator(path, request, { onProgress: () => told.resolve() });
    await told.promise;
    await vi.advanceTimersByTimeAsync(600_000);
    moving.resolve(moved);
    expect(await asked).toEqual({ type: "moved", moved });
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiKey, defaultConfiguration, printApiKey, startServer } from "@loci/server";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runCommand } from "./run-command.ts";

const { key, entry } = createApiKey({ tenant: "acme", roles: ["read", "write"], scopes: ["user:*"], id: "agents" });
const words = (text: string): Promise<{ code: number; out: string; error: string }> => runCommand(text.split(" "));

beforeEach(() => void vi.stubEnv("LOCI_API_KEY", key));
afterEach(() => vi.unstubAllEnvs());

test.each(["token --scope user:ann --role read", "key token-key"])(
  "%s without a key says where one goes",
  async (command) => {
    for (const none of ["", undefined]) {
      vi.stubEnv("LOCI_API_KEY", none);
      const ended = await words(command);
      expect(ended).toMatchObject({ code: 2, out: "", error: expect.stringContaining("LOCI_API_KEY") });
    }
  },
);

describe("loci token", () => {
  test("makes what the server takes for one user, and for no other", async () => {
    const data = mkdtempSync(join(tmpdir(), "loci-cli-token-"));
    const listen = { address: "127.0.0.1", port: 0 };
    const configuration = { ...defaultConfiguration, listen, dataDirectory: data, apiKeys: [entry] };
    const server = await startServer({ ...configuration, index: { use: "memory" } }, { writeLog: () => undefined });
    try {
      const made = await words("token --scope user:ann --role read --for 15m");
      expect(made).toMatchObject({ code: 0, error: "" });
      vi.stubEnv("LOCI_API_KEY", made.out.trim());
      const list = `memories list --connect ${server.address} --scope`;
      expect(await words(`${list} user:ann`)).toMatchObject({
        code: 0,
        error: expect.stringContaining("nothing is stored"),
      });
      expect(await words(`${list} user:bob`)).toMatchObject({
        code: 6,
        error: expect.stringContaining("SCOPE_NOT_PERMITTED"),
      });
    } finally {
      await server.close(0);
      rmSync(data, { recursive: true });
    }
  });

  test("says in JSON when it is over, after 15 minutes unless told", async () => {
    const before = Math.floor(Date.now() / 1_000) * 1_000;
    const { token, expiresAt } = JSON.parse((await words("token --scope * --role read --json")).out) as {
      readonly token: string;
      readonly expiresAt: number;
    };
    expect(token.split(".")).toHaveLength(3);
    expect(expiresAt - before).toBeGreaterThanOrEqual(900_000);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 900_000);
  });

  test.each([
    ["token --scope user:ann --role read --for 25h", "expiresInSeconds"],
    ["token --scope user:ann --role read --for 15", "a time such as 90s"],
    ["token --scope user:ann --role read --for 0m", "a time such as 90s"],
    ["token --scope user:ann --role root", "Allowed choices"],
    ["token --scope planet:x --role read", "not a scope"],
    ["token --role read", "--scope"],
  ])("%s is refused", async (command, problem) => {
    expect(await words(command)).toMatchObject({ code: 2, out: "", error: expect.stringContaining(problem) });
  });

  test("never repeats what was passed as a key", async () => {
    for (const command of ["token --scope user:ann --role read", "key token-key"]) {
      const ended = await words(`${command} --key ${key}x`);
      expect(ended.code).toBe(2);
      expect(ended.out + ended.error).not.toContain(key);
    }
  });
});

test("loci key token-key prints what the entry of an older key is given", async () => {
  const { out } = await words("key token-key");
  expect(printApiKey(entry)).toContain(out);
  expect(printApiKey({ ...entry, tokenKey: undefined })).not.toContain("token_key");
});

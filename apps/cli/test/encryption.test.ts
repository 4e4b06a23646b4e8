import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runCommand } from "./run-command.ts";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "loci-cli-encryption-"));
  vi.stubEnv("LOCI_DATA_DIR", join(parent, "data"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(parent, { recursive: true, force: true });
});

async function madeKey(id: string): Promise<string> {
  const { out } = await runCommand(["key", "encryption", "--id", id]);
  expect(out).toMatch(new RegExp(`^${id}:[A-Za-z0-9+/]{43}=\n$`));
  return out;
}

function holds(directory: string, word: string): boolean {
  const files = globSync("**/*", { cwd: directory, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.some((file) => readFileSync(join(file.parentPath, file.name), "latin1").includes(word));
}

test("commands encrypt with the keys of a file, seal what was plain, rotate, and back up and restore with them", async () => {
  const [old, current] = [await madeKey("2025"), await madeKey("2026")];
  const file = join(parent, "keys.txt");
  writeFileSync(file, old);
  expect((await runCommand(["remember", "Alice cooks with cardamom."])).code).toBe(0);
  expect((await runCommand(["maintenance", "encrypt"])).error).toContain("no keys were given");
  vi.stubEnv("LOCI_ENCRYPTION_KEYS_FILE", file);
  expect((await runCommand(["remember", "Alice bakes with nutmeg."])).code).toBe(0);
  const dry = await runCommand(["maintenance", "encrypt", "--dry-run", "--json"]);
  expect(JSON.parse(dry.out)).toMatchObject({ dryRun: true, counts: { rows: 2, waiting: 1, sealed: 0 } });
  expect((await runCommand(["maintenance", "encrypt"])).code).toBe(0);

  writeFileSync(file, `${current}${old}`);
  const sealed = JSON.parse((await runCommand(["maintenance", "encrypt", "--json"])).out) as {
    readonly notes: string[];
  };
  expect(sealed.notes[0]).toContain("before need 2025");
  expect(holds(join(parent, "data"), "cardamom")).toBe(false);
  writeFileSync(file, current);
  expect((await runCommand(["recall", "What does Alice cook with?"])).out).toContain("cardamom");
  const looked = await runCommand(["doctor"]);
  expect(looked.out).toContain('Encrypted under "2026"');

  expect((await runCommand(["backup", join(parent, "backup")])).code).toBe(0);
  vi.stubEnv("LOCI_ENCRYPTION_KEYS_FILE", "");
  const without = await runCommand(["recall", "cardamom"]);
  expect(without.code).not.toBe(0);
  expect(without.error).toContain('The encryption key "2026" is needed');
  const restore = ["restore", join(parent, "backup"), "--data", join(parent, "restored")];
  expect((await runCommand(restore)).error).toContain('"2026" is needed');
  // By a variable, as platforms give secrets.
  vi.stubEnv("MY_KEYS", current);
  vi.stubEnv("LOCI_ENCRYPTION_KEYS_VARIABLE", "MY_KEYS");
  expect((await runCommand(restore)).code).toBe(0);
  expect((await runCommand(["recall", "cardamom", "--data", join(parent, "restored")])).out).toContain("cardamom");
});

test("keys that are wrong are refused by the name of their place, and not repeated", async () => {
  const secret = "c2VjcmV0LXRoYXQtbm9ib2R5LW1heS1zZWUtMzItYnk=";
  for (const [text, problem] of [
    [secret, "has no id"],
    [`${secret}:2026`, "an id that is none"],
    ["2026:short", "must be 32 random bytes"],
  ] as const) {
    vi.stubEnv("MY_KEYS", text);
    vi.stubEnv("LOCI_ENCRYPTION_KEYS_VARIABLE", "MY_KEYS");
    const { code, error } = await runCommand(["remember", "Alice cooks."]);
    expect(code).not.toBe(0);
    expect(error).toContain("The environment variable MY_KEYS");
    expect(error).toContain(problem);
    expect(error).not.toContain(secret);
  }
});

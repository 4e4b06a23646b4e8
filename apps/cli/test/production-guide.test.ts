import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultConfiguration, startServer } from "@loci/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type EndedCommand, runCommand } from "./run-command.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/production.md"), "utf8");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-production-"));
  vi.stubEnv("LOCI_DATA_DIR", join(folder, "data"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  rmSync(folder, { recursive: true });
});

/** The guide's drill, in this test's folder. */
function drill(): readonly (readonly string[])[] {
  const [, block = ""] = /<!-- drill -->\s+```sh\n(.*?)```/s.exec(guide) ?? [];
  return block
    .trim()
    .split("\n")
    .map((line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ""))
    .map(([program, ...words]) => {
      expect(program).toBe("loci");
      return words.map((word) => (word.startsWith("/") ? join(folder, word) : word));
    });
}

test("the drill of the guide brings back what was remembered, and not what was forgotten since the backup", async () => {
  await runCommand(["remember", "Deployments happen on Thursday.", "--scope", "project:apollo"]);
  const steps = drill();
  expect(steps.map(([command]) => command)).toEqual(["backup", "restore", "verify", "doctor", "recall"]);
  const ended: EndedCommand[] = [];
  for (const words of steps) ended.push(await runCommand(words));
  for (const { code, error } of ended) expect({ code, error }).toEqual({ code: 0, error: "" });
  expect(ended[3]?.out).toContain("0 that fail.");
  expect(ended[4]?.out).toContain("Deployments happen on Thursday.");
  expect(process.exitCode ?? 0).toBe(0);
});

test("the drill's backup is made by a server, too, in the directory that the guide names", async () => {
  await runCommand(["remember", "Deployments happen on Thursday.", "--scope", "project:apollo"]);
  const [, named = ""] = /`backup_directory = "([^"]+)"`/.exec(guide) ?? [];
  const listen = { address: "127.0.0.1", port: 0 };
  const places = { dataDirectory: join(folder, "data"), backupDirectory: join(folder, named) };
  const server = await startServer({ ...defaultConfiguration, listen, ...places }, { writeLog: () => undefined });
  try {
    const [backup = []] = drill();
    expect(await runCommand(backup)).toMatchObject({ code: 0, error: "" });
    expect(existsSync(join(folder, named, "drill/manifest.json"))).toBe(true);
  } finally {
    await server.close(0);
  }
});

test("every command of the guide is one that there is, with options that there are", async () => {
  const lines = [...guide.matchAll(/^(?:\$ )?loci .*$/gm)].map(([line]) => line);
  const inText = [...guide.matchAll(/`(loci [a-z][^`]*)`/g)].map(([, line = ""]) => line);
  expect(lines.length + inText.length).toBeGreaterThan(10);
  for (const line of [...lines, ...inText]) {
    const [, command = "", ...rest] = line.replace(/ *#.*$/, "").split(/\s+/);
    const sub =
      rest[0] !== undefined && /^[a-z]+$/.test(rest[0]) && ["key", "capture", "receipts", "shards"].includes(command)
        ? [rest[0]]
        : [];
    const { out } = await runCommand([command, ...sub, "--help"]);
    expect(out).toContain(`Usage: loci ${[command, ...sub].join(" ")}`);
    for (const option of rest.filter((word) => word.startsWith("--"))) expect(out).toContain(option);
  }
});

import type * as fileSystem from "node:fs";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openLoci } from "../src/index.ts";

vi.mock("node:fs", async (importOriginal) => {
  const original = await importOriginal<typeof fileSystem>();
  return { ...original, readFileSync: vi.fn<typeof readFileSync>(original.readFileSync) };
});

let dataDirectory: string;
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), "loci-refused-files-"));
});
afterEach(() => rmSync(dataDirectory, { recursive: true }));

test("a directory of somebody else is not called damaged", async () => {
  const refused = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
  const original = vi.mocked(readFileSync).getMockImplementation() as typeof readFileSync;
  vi.mocked(readFileSync).mockImplementation(((path: string, ...rest: []) => {
    if (String(path).startsWith(dataDirectory)) throw refused;
    return original(path, ...rest);
  }) as typeof readFileSync);
  onTestFinished(() => void vi.mocked(readFileSync).mockImplementation(original));
  await expect(openLoci({ tenant: "local", dataDirectory })).rejects.toMatchObject({
    reason: "INVALID_CONFIGURATION",
    message: `${dataDirectory} may not be read by this user.`,
  });
});

// Writing to /dev/full fails as on a disk without room, which is left to Linux.
test.runIf(process.platform === "linux")("a start on a full disk says so", async () => {
  await (await openLoci({ tenant: "local", dataDirectory })).close();
  symlinkSync("/dev/full", join(dataDirectory, "index", "ledger.json.new"));
  await expect(openLoci({ tenant: "local", dataDirectory })).rejects.toMatchObject({
    reason: "DISK_FULL",
    resource: join(dataDirectory, "index", "ledger.json"),
  });
});

import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLoci } from "../src/index.ts";

let dataDirectory: string;
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), "loci-refused-files-"));
});
afterEach(() => rmSync(dataDirectory, { recursive: true }));

// What Linux only lets be written may not be read by anybody, whoever runs the test.
test.runIf(process.platform === "linux")("a directory of somebody else is not called damaged", async () => {
  symlinkSync("/proc/sys/vm/compact_memory", join(dataDirectory, "shards.json"));
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

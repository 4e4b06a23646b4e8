import { cp, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalLoci, openLoci, restoreBackup } from "@loci/loci";
import { afterAll, beforeAll, expect, test } from "vitest";

let parent: string;
let backup: string;
let loci: LocalLoci;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "loci-backups-"));
  backup = join(parent, "whole");
  loci = await openLoci({ dataDirectory: join(parent, "data"), tenant: "acme", index: "memory" });
  await loci.memories.remember({ text: "The door is blue.", scope: "user:alice" });
  await loci.maintenance.backup({ directory: backup });
});
afterAll(async () => {
  await loci.close();
  await rm(parent, { recursive: true });
});

interface Manifest {
  readonly files: readonly { readonly name: string }[];
}

test.each<[string, (manifest: Manifest) => unknown, string]>([
  ["says nothing", () => null, "DATA_DIRECTORY_CORRUPT"],
  ["names no files", (manifest) => ({ ...manifest, files: undefined }), "DATA_DIRECTORY_CORRUPT"],
  ["names an empty list of files", (manifest) => ({ ...manifest, files: [] }), "DATA_DIRECTORY_CORRUPT"],
  ["names a file that is none", (manifest) => ({ ...manifest, files: [null] }), "DATA_DIRECTORY_CORRUPT"],
  [
    "leaves out the ledger",
    (manifest) => ({ ...manifest, files: manifest.files.filter(({ name }) => name !== "ledger.sqlite") }),
    "DATA_DIRECTORY_CORRUPT",
  ],
  [
    "names a file elsewhere",
    (manifest) => ({ ...manifest, files: [...manifest.files, { name: "../data/ledger.sqlite" }] }),
    "DATA_DIRECTORY_CORRUPT",
  ],
  ["is of a later format", (manifest) => ({ ...manifest, format: 2, files: undefined }), "DATA_DIRECTORY_TOO_NEW"],
])("a backup whose manifest %s is refused, and nothing is restored of it", async (_, change, reason) => {
  const from = await mkdtemp(join(parent, "damaged-"));
  await cp(backup, from, { recursive: true });
  const path = join(from, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8")) as Manifest;
  await writeFile(path, JSON.stringify(change(manifest)));
  const dataDirectory = join(from, "restored");
  await expect(restoreBackup({ from, dataDirectory })).rejects.toMatchObject({ name: "LociError", reason });
  await expect(readFile(join(dataDirectory, "ledger.sqlite"))).rejects.toThrow("ENOENT");
});

test("a manifest that is cut off is no manifest", async () => {
  const from = await mkdtemp(join(parent, "cut-"));
  await cp(backup, from, { recursive: true });
  await truncate(join(from, "manifest.json"), 20);
  const restored = restoreBackup({ from, dataDirectory: join(from, "restored") });
  await expect(restored).rejects.toMatchObject({ reason: "FILE_NOT_FOUND" });
});

test("of two backups into one directory at once one is made, and the other refused", async () => {
  const directory = join(parent, "twice");
  const made = await Promise.allSettled([1, 2].map(() => loci.maintenance.backup({ directory })));
  const refused = made.filter((one) => one.status === "rejected").map(({ reason }) => reason as unknown);
  expect(refused).toMatchObject([
    { reason: "INVALID_REQUEST", message: expect.stringContaining("not empty") as string },
  ]);
  await restoreBackup({ from: directory, dataDirectory: join(parent, "restored-twice") });
});

test("a name that is too long for a directory is refused as such", async () => {
  const directory = join(parent, "x".repeat(300));
  await expect(loci.maintenance.backup({ directory })).rejects.toMatchObject({
    reason: "INVALID_REQUEST",
    field: "directory",
  });
});

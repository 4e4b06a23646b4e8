import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { measureTenants } from "../src/tenants/measure-tenants.ts";

/** The nightly run says how many. What a few of them take is the same, but for what is looked over in the background. */
const tenants = Number(process.env["LOCI_TENANTS"] ?? 200);
const isBuilt = existsSync(join(import.meta.dirname, "../../apps/server/dist/index.js"));

// Of Linux: elsewhere memory is counted otherwise.
test.skipIf(!isBuilt || process.platform !== "linux")(
  "a server opens a directory of very many tenants, and pays for none that nobody asks for",
  async () => {
    const parent = mkdtempSync(join(tmpdir(), "loci-tenants-"));
    try {
      const figures = await measureTenants(join(parent, "data"), tenants, () => undefined);
      const value = (name: string): number => figures.find((figure) => figure.name === name)?.value ?? Number.NaN;
      expect(value("files in the directory")).toBeLessThan(20);
      for (const when of ["ready", "after recalls", "after a sweep"])
        expect(value(`descriptors, ${when}`)).toBeLessThanOrEqual(1_000);
      // Of the processor, which others on the machine do not take from it; but they make it slower. A quiet machine takes a second at
      // most, which `bench:tenants` measures.
      expect(value("processor time of that")).toBeLessThanOrEqual(1_500);
      expect(value("processor time of a start after a kill")).toBeLessThanOrEqual(1_500);
      expect(value("processor time of a first recall")).toBeLessThanOrEqual(50);
      expect(value("resident of an empty directory")).toBeLessThanOrEqual(200);
      expect(value("resident, ready")).toBeLessThanOrEqual(200);
      // With the pages that the recalls of 500 tenants have read, and what is compiled for them.
      expect(value("resident, after recalls")).toBeLessThanOrEqual(280);
      expect(value("resident, ready") - value("resident of an empty directory")).toBeLessThanOrEqual(40);
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  },
);

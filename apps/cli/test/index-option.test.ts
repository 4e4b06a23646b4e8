import { afterEach, expect, test, vi } from "vitest";
import { indexChoice } from "../src/config/index-option.ts";

afterEach(() => vi.unstubAllEnvs());

test("PostgreSQL takes its connection string from the environment, where no other user sees it", () => {
  vi.stubEnv("LOCI_INDEX_CONNECTION_STRING", "postgresql://127.0.0.1/loci");
  expect(indexChoice("pgvector")).toEqual({ kind: "pgvector", connectionString: "postgresql://127.0.0.1/loci" });
  vi.stubEnv("LOCI_INDEX_CONNECTION_STRING", "");
  expect(() => indexChoice("pgvector")).toThrow(/LOCI_INDEX_CONNECTION_STRING is empty/);
  expect(indexChoice("embedded")).toBe("embedded");
});

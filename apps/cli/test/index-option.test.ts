import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chosenIndexes } from "../src/config/index-option.ts";

const database = "postgresql://127.0.0.1/loci";

beforeEach(() => {
  for (const name of ["INDEX_CONNECTION_STRING", "PINECONE_API_KEY", "PINECONE_CLOUD", "PINECONE_REGION"])
    vi.stubEnv(`LOCI_${name}`, "");
});
afterEach(() => vi.unstubAllEnvs());

test("what others must not see is taken from the environment", () => {
  vi.stubEnv("LOCI_INDEX_CONNECTION_STRING", database);
  const pgvector = { kind: "pgvector", connectionString: database };
  expect(chosenIndexes("pgvector")).toEqual({ index: pgvector, indexes: [pgvector] });
  vi.stubEnv("LOCI_PINECONE_API_KEY", "key");
  vi.stubEnv("LOCI_PINECONE_CLOUD", "gcp");
  vi.stubEnv("LOCI_PINECONE_REGION", "europe-west4");
  const pinecone = { kind: "pinecone", apiKey: "key", cloud: "gcp", region: "europe-west4" };
  expect(chosenIndexes("pinecone")).toEqual({ index: pinecone, indexes: [pgvector, pinecone] });
  // Whatever is in use, they can be moved to.
  expect(chosenIndexes("embedded")).toEqual({ index: "embedded", indexes: [pgvector, pinecone] });
  expect(chosenIndexes(undefined)).toEqual({ index: undefined, indexes: [pgvector, pinecone] });
});

test("what is missing or wrong is named", () => {
  expect(chosenIndexes(undefined)).toEqual({ index: undefined, indexes: [] });
  expect(() => chosenIndexes("pgvector")).toThrow(/LOCI_INDEX_CONNECTION_STRING is empty/);
  expect(() => chosenIndexes("pinecone")).toThrow(/LOCI_PINECONE_API_KEY is empty/);
  vi.stubEnv("LOCI_PINECONE_API_KEY", "key");
  vi.stubEnv("LOCI_PINECONE_CLOUD", "ibm");
  expect(() => chosenIndexes(undefined)).toThrow(/LOCI_PINECONE_CLOUD is "ibm"/);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  configurationOf,
  loadSettings,
  printSettings,
  type ServerConfiguration,
  type ServerSettings,
} from "@loci/server";
import { afterAll, expect, test } from "vitest";
import { configuredIndex } from "../src/configuration/configured-index.ts";

const directory = mkdtempSync(join(tmpdir(), "loci-index-configuration-"));
afterAll(() => rmSync(directory, { recursive: true }));

const connectionString = "postgresql://loci:secret@127.0.0.1/loci";
writeFileSync(join(directory, "connection"), `${connectionString}\n`);

function said(toml: string): ServerSettings {
  const file = join(directory, "loci.toml");
  writeFileSync(file, toml);
  return loadSettings({ file, environment: {} });
}

function load(toml: string): ServerConfiguration {
  return configurationOf(said(toml));
}

test("indexes in PostgreSQL are used, their connection string read from its file and never printed", () => {
  const settings = said(`
    [index]
    use = "pgvector"
    connection_string_file = "connection"
    schema = "memories"
    vector_index = "hnsw"
    max_connections = 3
  `);
  expect(configuredIndex(configurationOf(settings))).toEqual({
    index: { kind: "pgvector", connectionString, schema: "memories", index: "hnsw", maxConnections: 3 },
    indexes: [],
  });
  const printed = printSettings(settings);
  expect(printed).toContain('use = "pgvector"');
  expect(printed).toContain('vector_index = "hnsw"');
  expect(printed).not.toContain("secret");
});

test("indexes in PostgreSQL that are not in use can be moved to", () => {
  const { index, indexes } = configuredIndex(load('[index]\nuse = "embedded"\nconnection_string_file = "connection"'));
  expect(index).toBe("embedded");
  expect(indexes?.map((choice) => choice.kind)).toEqual(["pgvector"]);
  expect(configuredIndex(load(""))).toEqual({ index: undefined, indexes: [] });
});

test("a connection string that is missing, or in two places, is refused", () => {
  expect(() => load('[index]\nuse = "pgvector"')).toThrow(/index\.connection_string_variable is missing/);
  expect(() => load('[index]\nconnection_string_file = "a"\nconnection_string_variable = "B"')).toThrow(
    /is there beside/,
  );
  expect(() => load('[index]\nvector_index = "ivfflat"')).toThrow(/not a choice/);
});

test("indexes on Pinecone are used or can be moved to, their key read from its file and never printed", () => {
  writeFileSync(join(directory, "key"), "pcsk_secret");
  const toml = '[pinecone]\napi_key_file = "key"\ncloud = "gcp"\nregion = "europe-west4"';
  const choice = { kind: "pinecone", apiKey: "pcsk_secret", cloud: "gcp", region: "europe-west4" };
  expect(configuredIndex(load(`[index]\nuse = "pinecone"\n${toml}`))).toEqual({ index: choice, indexes: [] });
  expect(configuredIndex(load(toml))).toEqual({ index: undefined, indexes: [choice] });
  const printed = printSettings(said(toml));
  expect(printed).toContain('region = "europe-west4"');
  expect(printed).not.toContain("pcsk_");
});

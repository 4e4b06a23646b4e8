import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { connectLoci } from "@loci/client";
import { type IndexChoice, type Loci, openEngine, openLoci, type OpenLociOptions } from "@loci/loci";
import { type PineconeEmulator, startPineconeEmulator } from "@loci/pinecone-emulator";
import { missingNativePostgres, openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { loadConfiguration, startServer } from "../src/index.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/choose-a-store.md"), "utf8");
/** Each call of `openLoci` that is printed, without the call. */
const calls = [...guide.matchAll(/await openLoci\((\{[^;]*\})\);/g)].map(([, options = ""]) => options);
const settings = [...guide.matchAll(/^```toml\n(.*?)^```/gms)].map(([, toml = ""]) => toml);

/** What a form needs that is not on every machine. */
const needsDatabase = (form: string): boolean => /LOCI_DATABASE|connectionString/.test(form);
/** Those that can be run here, each with a name of one line. */
const runnable = (forms: readonly string[]): readonly (readonly [name: string, form: string])[] =>
  forms
    .filter((form) => missingNativePostgres() === undefined || !needsDatabase(form))
    .map((form) => [form.trim().replaceAll(/\s+/g, " "), form]);

let folder: string;
let emulator: PineconeEmulator;
let forms = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-store-guide-"));
  emulator = await startPineconeEmulator();
  vi.stubEnv("PINECONE_API_KEY", emulator.apiKey);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await emulator[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** An empty directory, and a database for what needs one, as each form is somebody else's. */
async function prepared(
  form: string,
): Promise<{ readonly dataDirectory: string; readonly database?: TestDatabase | undefined } & AsyncDisposable> {
  const database = needsDatabase(form) ? await openTestDatabase("native") : undefined;
  vi.stubEnv("LOCI_DATABASE", database?.connectionString);
  return {
    dataDirectory: join(folder, String(++forms)),
    database,
    [Symbol.asyncDispose]: async () => database?.drop(),
  };
}

/** Pinecone itself is not asked. */
function emulated<Options extends { readonly index?: IndexChoice | undefined }>(options: Options): Options {
  const { index } = options;
  return typeof index === "object" && index.kind === "pinecone"
    ? { ...options, index: { ...index, controllerUrl: emulator.controllerUrl } }
    : options;
}

/** What is remembered, and what is then recalled. */
async function rememberAndRecall(loci: Loci): Promise<readonly (readonly string[])[]> {
  const { id } = await loci.memories.remember({ text: "We deploy on Thursday.", scope: "user:alice" });
  await loci.settled();
  const { hits } = await loci.recall({ query: "When do we deploy?", scopes: ["user:alice"] });
  return [[id], hits.map(({ memory }) => memory.id)];
}

test("the guide prints every way to choose a store", () => {
  const kinds = ["embedded", "memory", "lancedb", "pgvector", "pinecone"];
  for (const kind of kinds) {
    expect(calls.some((options) => options.includes(`"${kind}"`))).toBe(true);
    expect(settings.some((toml) => toml.includes(`use = "${kind}"`))).toBe(true);
  }
  expect([calls.length, settings.length]).toEqual([7, 5]);
});

test.for(runnable(calls))("openLoci(%s)", async ([, form]) => {
  await using place = await prepared(form);
  const given = { connectionString: place.database?.connectionString, apiKey: emulator.apiKey };
  const printed = runInNewContext(`(${form})`, given) as OpenLociOptions;
  const options = emulated(printed);
  await using loci = await openLoci({ ...options, dataDirectory: place.dataDirectory });
  const [remembered, recalled] = await rememberAndRecall(loci);
  expect(recalled).toEqual(remembered);
});

test.for(runnable(settings))("a server with %s", async ([, toml]) => {
  await using place = await prepared(toml);
  const file = join(folder, `${forms}.toml`);
  writeFileSync(file, toml);
  const environment = { LOCI_DATA_DIR: place.dataDirectory, LOCI_LISTEN_PORT: "0" };
  const server = await startServer(loadConfiguration({ file, environment }), {
    writeLog: () => undefined,
    openEngine: (options) => openEngine(emulated(options)),
  });
  try {
    await using loci = connectLoci({ address: server.address, apiKey: server.apiKey });
    const [remembered, recalled] = await rememberAndRecall(loci);
    expect(recalled).toEqual(remembered);
  } finally {
    await server.close(0);
  }
});

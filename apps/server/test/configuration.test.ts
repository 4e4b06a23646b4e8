import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LociError } from "@loci/loci";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  configuredModels,
  createApiKey,
  defaultConfiguration,
  loadConfiguration,
  printApiKey,
  loadSettings,
  printSettings,
  type ServerSettings,
  type ServerConfiguration,
} from "../src/index.ts";

/** What becomes of what is found, where nothing is said. */
const detection = {
  api_key: "refuse",
  token: "refuse",
  private_key: "refuse",
  password: "refuse",
  connection_string: "refuse",
  card: "refuse",
  iban: "refuse",
  government_id: "refuse",
  email: "redact",
  phone: "redact",
} as const;

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "loci-configuration-"));
  file = join(directory, "loci.toml");
});
afterEach(() => rmSync(directory, { recursive: true }));

const hash = `sha256:${"0".repeat(64)}`;
const keyToml = `[[api_keys]]\nid = "ci"\nhash = "${hash}"\ntenant = "acme"\nroles = ["read", "write"]\nscopes = ["user:*", "global"]\n`;

function load(toml: string, environment: NodeJS.ProcessEnv = {}): ServerConfiguration {
  writeFileSync(file, toml);
  return loadConfiguration({ file, environment });
}

function said(toml: string, environment: NodeJS.ProcessEnv = {}): ServerSettings {
  writeFileSync(file, toml);
  return loadSettings({ file, environment });
}

function refusal(action: () => unknown): LociError {
  try {
    action();
  } catch (error) {
    return error as LociError;
  }
  throw new Error("it should have been refused");
}

test("what is not said has its default", () => {
  expect(loadConfiguration({ environment: {} })).toEqual({
    ...defaultConfiguration,
    dataDirectory: undefined,
    tls: undefined,
    telemetry: { otlpEndpoint: undefined },
    summaryModel: undefined,
    captureModel: undefined,
  });
  expect(load("")).toEqual(loadConfiguration({ environment: {} }));
});

test("how memories are found is configuration too", () => {
  const toml = `[memory]
    language = "german"
    profile = "archive"
    [memory.metadata]
    area = "string"
    dueDay = "number"
    [memory.tenant_profiles]
    acme = "assistant"
    [memory.tenant_relevance_floors]
    acme = 0.25`;
  const environment = { LOCI_MEMORY_LANGUAGE: "french", LOCI_MEMORY_RELEVANCE_FLOOR: "0.125" };
  const configuration = load(toml, environment);
  expect(configuration.memory).toEqual({
    language: "french",
    metadataFields: { area: "string", dueDay: "number" },
    gitMirrors: false,
    detection,
    blocks: { maxChars: 1500, rotation: "adaptive", threshold: 0.8 },
    scoring: {
      profile: "archive",
      tenants: { acme: "assistant" },
      relevanceFloor: 0.125,
      relevanceFloors: { acme: 0.25 },
    },
  });
  const printed = printSettings(said(toml, environment));
  for (const line of [
    'language = "french"',
    'dueDay = "number"',
    'acme = "assistant"',
    "relevance_floor = 0.125",
    "acme = 0.25",
  ])
    expect(printed).toContain(line);
  for (const [toml, field] of [
    ['memory.language = "klingon"', "memory.language"],
    ['memory.profile = "none"', "memory.profile"],
    ['memory.metadata.area = "date"', "memory.metadata.area"],
    ['memory.metadata = "area"', "memory.metadata"],
    ['memory.tenant_profiles.acme = "x"', "memory.tenant_profiles.acme"],
    ["memory.relevance_floor = 2", "memory.relevance_floor"],
    ["memory.tenant_relevance_floors.acme = -1", "memory.tenant_relevance_floors.acme"],
    ["memory.colour = 1", "memory.colour"],
  ] as const)
    expect(refusal(() => load(toml))).toMatchObject({ reason: "INVALID_CONFIGURATION", field });
});

test("receipts are kept for a day where only the server's user calls, and elsewhere where it is said", () => {
  const day = { keepMilliseconds: 86_400_000 };
  expect([load("").receipts, defaultConfiguration.receipts]).toEqual([day, day]);
  expect(load(keyToml).receipts).toBeUndefined();
  expect(load(`receipts.keep = "7d"\n${keyToml}`).receipts).toEqual({ keepMilliseconds: 7 * 86_400_000 });
  expect(load("", { LOCI_RECEIPTS_KEEP: "90m" }).receipts).toEqual({ keepMilliseconds: 90 * 60_000 });
  expect(load('receipts.keep = "off"').receipts).toBeUndefined();
  expect(printSettings(said(""))).toContain('[receipts]\nkeep = "24h"');
  expect(printSettings(said(keyToml))).toContain('[receipts]\nkeep = "off"');
  for (const wrong of ['"1s"', '"31d"', '"0h"', "24", "true", '"a day"', '"99999999d"'])
    expect(refusal(() => load(`receipts.keep = ${wrong}`))).toMatchObject({
      reason: "INVALID_CONFIGURATION",
      field: "receipts.keep",
      advice: "Use off, or 1m to 30d, such as 24h.",
    });
});

test("every setting can be said in the file, where paths are relative to it", () => {
  const configuration = load(`
    environment = "development"
    data_directory = "data"
    backup_directory = "backups"
    log_level = "debug"
    [listen]
    address = "0.0.0.0"
    port = 0
    [memory]
    language = "german"
    profile = "archive"
    [tls]
    certificate_file = "server.crt"
    private_key_file = "/etc/server.key"
    client_ca_file = "ca.crt"
    [limits]
    max_receive_bytes = 1024
    max_request_bytes = 268435456
    max_send_bytes = 4194304
    max_unread_bytes = 134217728
    max_metadata_bytes = 1024
    max_connections = 5
    max_concurrent_streams = 1
    max_open_calls = 6
    calls_per_second = 0
    call_burst = 7
    model_tokens_per_minute = 8
    max_running_calls = 2
    max_queued_calls = 0
    max_waiting_calls = 3
    max_streams = 7
    keepalive_seconds = 4
    shutdown_grace_seconds = 0
    [usage_caps]
    tenant_cost = 20
    tenant_tokens = 1000000
    session_cost = 0.5
    [telemetry]
    otlp_endpoint = "http://localhost:4318"
    [ledger]
    use = "postgres"
    connection_string_variable = "DATABASE_URL"
    owner_connection_string_file = "owner.url"
    schema = "memories"
    role = "loci_service"
    max_connections = 4
    [index]
    use = "lancedb"
    [blocks]
    git_mirrors = "on"
    [core_memory]
    max_chars = 2000
    [archival]
    rotation = "preservative"
    rotation_threshold = 0.5
    [detection]
    phone = "allow"
    iban = "quarantine"
    [maintenance]
    compact_minutes = 0
    expire_minutes = 10
    prune_minutes = 1440
    prune_dormant_days = 90
    prune_remove_after_days = 30
    [embedder]
    use = "local"
    base_url = "http://localhost:11434/v1"
    model = "nomic-embed-text"
    dimensions = 768
    max_input_tokens = 2048
    query_prefix = "search_query: "
    document_prefix = "search_document: "
    api_key_file = "embedder.key"
    [summary_model]
    base_url = "https://models.example/v1"
    model = "small"
    api_key_variable = "SUMMARY_KEY"
    output_limit_field = "max_completion_tokens"
    structured_output = "json_object"
    reasoning_effort = "low"
    time_limit_seconds = 90
    [capture_model]
    base_url = "http://localhost:11434/v1"
    model = "large"
    structured_output = "none"
    ${keyToml}
    subject = "build"
    expires_at = 2027-01-01T00:00:00Z
  `);
  expect(configuration).toEqual({
    workers: 1,
    memory: {
      language: "german",
      gitMirrors: true,
      blocks: { maxChars: 2000, rotation: "preservative", threshold: 0.5 },
      detection: { ...detection, phone: "allow", iban: "quarantine" },
      scoring: { profile: "archive" },
    },
    maintenance: [
      { job: { type: "expire" }, everyMinutes: 10 },
      { job: { type: "prune", dormantDays: 90, removeAfterDays: 30 }, everyMinutes: 1440 },
    ],
    environment: "development",
    dataDirectory: join(directory, "data"),
    backupDirectory: join(directory, "backups"),
    logLevel: "debug",
    listen: { address: "0.0.0.0", port: 0 },
    tls: {
      certificateFile: join(directory, "server.crt"),
      privateKeyFile: "/etc/server.key",
      clientCaFile: join(directory, "ca.crt"),
    },
    limits: {
      maxReceiveBytes: 1024,
      maxRequestBytes: 268435456,
      maxSendBytes: 4194304,
      maxUnreadBytes: 134217728,
      maxMetadataBytes: 1024,
      maxConnections: 5,
      maxConcurrentStreams: 1,
      maxOpenCalls: 6,
      callsPerSecond: 0,
      callBurst: 7,
      modelTokensPerMinute: 8,
      maxRunningCalls: 2,
      maxQueuedCalls: 0,
      maxWaitingCalls: 3,
      maxStreams: 7,
      keepaliveSeconds: 4,
      shutdownGraceSeconds: 0,
    },
    usageCaps: { tenant: { cost: 20, tokens: 1_000_000 }, session: { cost: 0.5 } },
    telemetry: { otlpEndpoint: "http://localhost:4318" },
    ledger: {
      postgres: {
        connectionString: { variable: "DATABASE_URL" },
        ownerConnectionString: { file: join(directory, "owner.url") },
        schema: "memories",
        role: "loci_service",
        maxConnections: 4,
      },
    },
    index: { use: "lancedb" },
    embedder: {
      use: "local",
      remote: {
        baseUrl: "http://localhost:11434/v1",
        model: "nomic-embed-text",
        dimensions: 768,
        maxInputTokens: 2048,
        prefixes: { query: "search_query: ", document: "search_document: " },
        apiKey: { file: join(directory, "embedder.key") },
      },
    },
    summaryModel: {
      baseUrl: "https://models.example/v1",
      model: "small",
      apiKey: { variable: "SUMMARY_KEY" },
      outputLimitField: "max_completion_tokens",
      structuredOutput: "json_object",
      reasoningEffort: "low",
      timeLimit: 90_000,
    },
    captureModel: { baseUrl: "http://localhost:11434/v1", model: "large", structuredOutput: "none" },
    clientCertificates: [],
    apiKeys: [
      {
        id: "ci",
        hash,
        tenant: "acme",
        subject: "build",
        roles: ["read", "write"],
        scopes: ["user:*", "global"],
        expiresAt: Date.UTC(2027, 0, 1),
      },
    ],
  });
});

test("the environment wins over the file, and empty variables say nothing", () => {
  const environment = {
    LOCI_LISTEN_PORT: "7000",
    LOCI_LOG_LEVEL: "warn",
    LOCI_DATA_DIR: "/srv/loci",
    LOCI_LIMITS_MAX_RUNNING_CALLS: "8",
    LOCI_ENVIRONMENT: "",
    LOCI_SOMETHING_ELSE: "x",
  };
  const configuration = load('environment = "development"\ndata_directory = "data"\n[listen]\nport = 1\n', environment);
  expect(configuration.listen.port).toBe(7000);
  expect(configuration.logLevel).toBe("warn");
  expect(configuration.dataDirectory).toBe("/srv/loci");
  expect(configuration.limits.maxRunningCalls).toBe(8);
  expect(configuration.environment).toBe("development");
});

test("what may be used of models can be capped in variables, and reaches the engine", () => {
  const environment = { LOCI_USAGE_CAPS_SESSION_COST: "0.5", LOCI_USAGE_CAPS_TENANT_TOKENS: "1000000" };
  const { usageCaps } = configuredModels(load("", environment));
  expect(usageCaps).toEqual({ session: { cost: 0.5 }, tenant: { tokens: 1_000_000 } });
  expect(configuredModels(load(""))).not.toHaveProperty("usageCaps");
  for (const cost of ["-1", "cheap", "2000000"])
    expect(() => load("", { LOCI_USAGE_CAPS_TENANT_COST: cost })).toThrow("must be an amount of dollars");
});

test("how a model is asked can be said in variables, and says nothing where there is no model", () => {
  const wording = {
    LOCI_CAPTURE_MODEL_OUTPUT_LIMIT_FIELD: "max_completion_tokens",
    LOCI_CAPTURE_MODEL_STRUCTURED_OUTPUT: "json_object",
  };
  const model = { baseUrl: "http://localhost/v1", model: "m" };
  const toml = `[capture_model]\nbase_url = "${model.baseUrl}"\nmodel = "m"\nstructured_output = "none"`;
  const captureModel = { ...model, outputLimitField: "max_completion_tokens", structuredOutput: "json_object" };
  expect(load(toml, wording).captureModel).toEqual(captureModel);
  expect(load("", wording).captureModel).toBeUndefined();
  expect(printSettings(said(toml, wording))).toContain('output_limit_field = "max_completion_tokens"');
  const refused = refusal(() => load("", { LOCI_SUMMARY_MODEL_STRUCTURED_OUTPUT: "yaml" }));
  expect(refused).toMatchObject({ reason: "INVALID_CONFIGURATION", field: "LOCI_SUMMARY_MODEL_STRUCTURED_OUTPUT" });
  expect(refused.advice).toBe("Use one of json_schema, json_object, none.");
});

test("a misspelt setting is answered with the one that was meant, anything else with all", () => {
  expect(refusal(() => load("[listen]\nprot = 1")).advice).toBe("Did you mean listen.port?");
  expect(refusal(() => load("zzzzzz = 1")).advice).toMatch(/^Use environment, /u);
});

describe("is refused, with its place", () => {
  test.each([
    ["[listen]\nprot = 1", "listen.prot is not a setting"],
    ["colour = 1", "colour is not a setting"],
    ["listen = 1", "listen must be a table, but is 1"],
    ["[listen.port]\nx = 1", "listen.port must be a whole number, but is a table"],
    ["[listen]\nport = 1.5", "listen.port must be a whole number, but is 1.5"],
    ["[listen]\nport = 65536", "listen.port must be a whole number, but is 65536"],
    ['[listen]\nport = "1"', 'listen.port must be a whole number, but is "1"'],
    ['environment = "prod"', 'environment is "prod", which is not a choice'],
    ['data_directory = ""', 'data_directory must be text, but is ""'],
    ['[telemetry]\notlp_endpoint = "localhost:4318"', "telemetry.otlp_endpoint must be an http or https address"],
    ["api_keys = 1", "api_keys must be a list of tables"],
    ["api_keys = [1]", "api_keys[0] must be a table, but is 1"],
    ['[[api_keys]]\nsecret = "x"', "api_keys[0].secret is not a setting"],
    [keyToml.replace('id = "ci"', 'id = "CI"'), "api_keys[0].id has the wrong form"],
    [keyToml.replace(hash, "plain"), "api_keys[0].hash has the wrong form"],
    [`${keyToml}token_key = "ed25519:short"`, "api_keys[0].token_key has the wrong form"],
    [keyToml.replace('tenant = "acme"\n', ""), "api_keys[0].tenant is missing"],
    [keyToml.replace('"read", ', '"root", '), 'api_keys[0].roles holds "root"'],
    [keyToml.replace('["read", "write"]', "[]"), "api_keys[0].roles must be a list of texts"],
    [keyToml.replace("user:*", "user:a*"), 'api_keys[0].scopes holds "user:a*"'],
    [keyToml.replace("user:*", "planet:x"), 'api_keys[0].scopes holds "planet:x"'],
    [`${keyToml}expires_at = 2027-01-01`, "api_keys[0].expires_at must be a date and time with its zone"],
    [`${keyToml}expires_at = 2027-01-01T00:00:00`, "api_keys[0].expires_at must be a date and time with its zone"],
    [`${keyToml}${keyToml}`, "api_keys[1].id is ci, like another's"],
    ['[tls]\ncertificate_file = "x"', "tls.private_key_file is missing"],
    ['[tls]\nclient_ca_file = "x"', "tls.certificate_file is missing"],
  ])("%j", (toml, message) => {
    const error = refusal(() => load(toml));
    expect(error.reason).toBe("INVALID_CONFIGURATION");
    expect(error.message).toContain(message);
    expect(error.field).toBeDefined();
    expect(error.advice).toBeDefined();
  });

  test.each([
    ["a = [", /loci\.toml, line 1, column \d+: /],
    ["a = 1\na = 2", /loci\.toml, line 2, column \d+: /],
    ["\n\n= 1", /loci\.toml, line 3, column \d+: /],
    [`${"a.".repeat(20_000)}b = 1`, /loci\.toml/],
    [`a = ${"[".repeat(5_000)}${"]".repeat(5_000)}`, /loci\.toml/],
    ["__proto__.x = 1", /loci\.toml/],
    [`# ${"x".repeat(1024 * 1024)}`, /larger than 1048576 bytes/],
  ])("what is not TOML or too much of it: %.30j", (toml, message) => {
    const error = refusal(() => load(toml));
    expect(error).toMatchObject({ reason: "INVALID_CONFIGURATION", resource: file });
    expect(error.message).toMatch(message);
  });

  test("a file that is missing or is not UTF-8", () => {
    expect(refusal(() => loadConfiguration({ file, environment: {} })).message).toContain(file);
    writeFileSync(file, Buffer.from([0x61, 0xff]));
    expect(refusal(() => loadConfiguration({ file, environment: {} })).message).toContain("cannot be read");
  });

  test("a variable", () => {
    const error = refusal(() => loadConfiguration({ environment: { LOCI_LISTEN_PORT: "80a" } }));
    expect(error).toMatchObject({ reason: "INVALID_CONFIGURATION", field: "LOCI_LISTEN_PORT" });
    expect(error.message).toBe('LOCI_LISTEN_PORT must be a whole number, but is "80a".');
  });

  test("a key that was put where its hash belongs is not repeated", () => {
    const { key } = createApiKey({ tenant: "acme", roles: ["read"], scopes: ["*"] });
    const messages = [
      keyToml.replace(hash, key),
      keyToml.replace('"acme"', `"${key}\\u0000"`),
      `[listen]\nport = "${key}"`,
      `x = "${key}`,
    ].map((toml) => JSON.stringify(refusal(() => load(toml))));
    for (const message of messages) expect(message).not.toContain(key);
  });
});

test("printing shows every value and no hash", () => {
  const printed = printSettings(said(`${keyToml}expires_at = 2027-01-01T00:00:00Z\n[listen]\nport = 7000\n`));
  expect(printed).toContain("port = 7000");
  expect(printed).toContain("max_running_calls = 64");
  expect(printed).toContain('hash = "sha256:***"');
  expect(printed).toContain("expires_at = 2027-01-01T00:00:00.000Z");
  expect(printed).not.toContain("0000000000");
  // Apart from the hash it can be read back.
  expect(load(printed.replace("sha256:***", hash))).toEqual(load(readFileSync(file, "utf8")));
});

test("a new key's entry is what the file takes, or is refused as there", () => {
  const options = { tenant: 'a"b', roles: ["read"], scopes: ["user:*"], expiresAt: Date.UTC(2100, 0) } as const;
  const { entry } = createApiKey(options);
  expect(load(printApiKey(entry)).apiKeys).toEqual([{ ...entry, subject: undefined }]);
  expect(refusal(() => printApiKey({ ...entry, scopes: ["planet:*"] }))).toMatchObject({
    reason: "INVALID_CONFIGURATION",
    message: expect.stringContaining("planet:*"),
  });
});

test.for<[string, string]>([
  ['[index]\nuse = "pinecone"', "pinecone.api_key_variable"],
  ['[pinecone]\ncloud = "ours"', "pinecone.cloud"],
  ['[pinecone]\napi_key_file = "a"\napi_key_variable = "B"', "pinecone.api_key_variable"],
  ['[embedder]\nmodel = "m"\ndimensions = 3', "embedder.base_url"],
  ['[embedder]\nbase_url = "http://localhost/v1"\nmodel = "m"', "embedder.dimensions"],
  ['[embedder]\nuse = "remote"', "embedder.base_url"],
  ['[index]\nuse = "lance"', "index.use"],
  ['[embedder]\nuse = "remotely"', "embedder.use"],
  ['[summary_model]\nbase_url = "http://localhost/v1"', "summary_model.model"],
  ['[summary_model]\nbase_url = "localhost"\nmodel = "m"', "summary_model.base_url"],
  ['[summary_model]\napi_key_file = "a"\napi_key_variable = "B"', "summary_model.api_key_variable"],
  ['[summary_model]\napi_key_variable = "sk-0123456789"', "summary_model.api_key_variable"],
  ['[summary_model]\noutput_limit_field = "max_output_tokens"', "summary_model.output_limit_field"],
  ["[summary_model]\nstructured_output = true", "summary_model.structured_output"],
  ['[capture_model]\noutput_limit_field = ""', "capture_model.output_limit_field"],
  ['[capture_model]\nstructured_output = "yaml"', "capture_model.structured_output"],
  ['[ledger]\nuse = "postgres"', "ledger.connection_string_variable"],
  ['[ledger]\nuse = "mysql"', "ledger.use"],
  ['[ledger]\nconnection_string_file = "a"\nconnection_string_variable = "B"', "ledger.connection_string_variable"],
  ['[encryption]\nkeys_file = "a"\nkeys_variable = "B"', "encryption.keys_variable"],
  ['[encryption]\nkeys_variable = "2026:sk-0123456789"', "encryption.keys_variable"],
  ['[encryption]\nkeys = "2026:sk-0123456789"', "encryption.keys"],
  ['[ledger]\nconnection_string_variable = "postgresql://a:sk-0123456789@b/c"', "ledger.connection_string_variable"],
])("a model or database that is configured by half is refused: %s", ([toml, field]) => {
  const error = refusal(() => load(toml));
  expect(error).toMatchObject({ reason: "INVALID_CONFIGURATION", field });
  expect(JSON.stringify(error)).not.toContain("sk-0123456789");
});

test("what wins over the file is checked as the file is", () => {
  expect(() => loadSettings({ environment: {}, overrides: { workers: 0 } })).toThrow("workers must be a whole number");
});

import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { loadFileDescriptorSetFromBuffer } from "@grpc/proto-loader";
import { descriptorSetFile, proto } from "@loci/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { failureOf, scopeOf, startTestServer, TestClient, testKey, type TestServer } from "./test-server.ts";

// What must never be in a log: a word that stands in every field that takes text, in the metadata, and in credentials.
const canary = "canary";
const key = testKey({ roles: ["read", "write", "approve", "admin", "operate"] });

interface Field {
  readonly name: string;
  readonly number: number;
  readonly type: string;
  readonly typeName: string;
}

interface MessageType {
  readonly name: string;
  readonly field: readonly Field[];
  readonly nestedType: readonly MessageType[];
}

interface MethodDescriptor {
  readonly path: string;
  readonly requestType: { readonly type: MessageType };
}

const descriptors: Readonly<Record<string, unknown>> = loadFileDescriptorSetFromBuffer(readFileSync(descriptorSetFile));
const methods: readonly MethodDescriptor[] = Object.entries(descriptors)
  .filter(([name]) => /^loci\..*Service$/.test(name))
  .flatMap(([, service]) => Object.values(service as Readonly<Record<string, MethodDescriptor>>));

/** Deep enough for every message that does not hold itself. */
const deepest = 6;

/** For each place of a message that takes text, the message with the canary there and nothing else. */
function canariesIn(type: MessageType, depth = 0): readonly Buffer[] {
  return type.field.flatMap((field) => {
    if (field.type === "TYPE_STRING" || field.type === "TYPE_BYTES") return [prefixed(field, Buffer.from(canary))];
    if (field.type !== "TYPE_MESSAGE" || depth === deepest) return [];
    const nested = type.nestedType.find(({ name }) => name === field.typeName) ?? messageNamed(field.typeName);
    return canariesIn(nested, depth + 1).map((bytes) => prefixed(field, bytes));
  });
}

function messageNamed(name: string): MessageType {
  const found = (descriptors[name] ?? descriptors[`loci.v1.${name}`]) as { readonly type: MessageType } | undefined;
  if (found === undefined) throw new Error(`the descriptors have no ${name}`);
  return found.type;
}

/** A field of wire type 2: tag, length, bytes. */
function prefixed({ number }: Field, bytes: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  return Buffer.from(value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]);
}

/** Calls with bytes as they are; how it ends does not matter. */
function send(client: Client, path: string, bytes: Buffer, metadata: Metadata): Promise<void> {
  const same = (value: Buffer): Buffer => value;
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, same, same, bytes, metadata, { deadline: Date.now() + 20_000 }, () => resolve());
  });
}

describe("the log at its most talkative, with a canary in every field of every method", () => {
  let server: TestServer;
  let raw: Client;
  let sent = 0;

  beforeAll(async () => {
    server = await startTestServer({
      openEngine: engineWith(gatedEmbedder()),
      configuration: { apiKeys: [key.entry], logLevel: "debug" },
    });
    raw = new Client(server.address, credentials.createInsecure());
  });
  afterAll(async () => {
    raw.close();
    await server[Symbol.asyncDispose]();
  });

  const sendCounted = (path: string, bytes: Buffer): Promise<void> => {
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${key.key}`);
    metadata.set("x-note", canary);
    sent++;
    return send(raw, path, bytes, metadata);
  };

  test.each(methods)("$path", async ({ path, requestType }) => {
    const requests = canariesIn(requestType.type);
    // One field at a time, which is refused in many ways, and all at once.
    for (const bytes of [...requests, Buffer.concat(requests)]) await sendCounted(path, bytes);
    expect(server.logText()).not.toContain(canary);
  });

  test("also where everything is as it should be, and where jobs fail", async () => {
    using client = new TestClient(server.address, key.key);
    const scope = scopeOf(`user:${canary}`);
    const scopes = [scope];
    const memory = { text: `A ${canary} sings.`, scope, tags: [canary], slot: canary, category: "fact" };
    const created = await client.call(
      "/loci.v1.MemoryService/CreateMemory",
      proto.CreateMemoryRequest.create({ memory, requestId: canary }),
    );
    expect((created as proto.CreateMemoryResponse).memory?.text).toContain(canary);
    const question = { $case: "query" as const, value: `Which ${canary} sings?` };
    await client.call(
      "/loci.v1.MemoryService/RecallMemories",
      proto.RecallMemoriesRequest.create({ question, scopes }),
    );
    await client.call(
      "/loci.v1.ContextService/AssembleContext",
      proto.AssembleContextRequest.create({ query: canary, system: canary, recall: { scopes, query: canary } }),
    );
    const jobs: readonly NonNullable<proto.MaintenanceJob["job"]>[] = [
      { $case: "reindex", value: { to: canary, embedder: "", dropOld: false } },
      { $case: "reindex", value: { to: "", embedder: canary, dropOld: false } },
      { $case: "backup", value: { directory: canary } },
      { $case: "erase", value: { what: { $case: "tenant", value: canary } } },
      { $case: "erase", value: { what: { $case: "user", value: canary } } },
    ];
    for (const job of jobs) {
      const started = await client.call(
        "/loci.v1.MaintenanceService/StartMaintenance",
        proto.StartMaintenanceRequest.create({ job: { job } }),
      );
      const { id = "" } = (started as proto.StartMaintenanceResponse).operation ?? {};
      await client.call("/loci.v1.OperationService/WaitOperation", proto.WaitOperationRequest.create({ id }));
    }
    expect(server.logText()).not.toContain(canary);
  });

  test("nor is there a key, of callers or strangers", async () => {
    const stranger = testKey({ id: canary }).key;
    for (const wrong of [stranger, `${key.key}x`, canary]) {
      using client = new TestClient(server.address, wrong);
      await failureOf(client.texts());
    }
    const log = server.logText();
    for (const secret of [canary, key.key, key.entry.hash, stranger]) expect(log).not.toContain(secret);
    expect(server.log().filter(({ event }) => event === "call").length).toBeGreaterThanOrEqual(sent);
    expect(sent).toBeGreaterThan(150);
  });
});

describe("a server that cannot start", () => {
  const directory = mkdtempSync(join(tmpdir(), "loci-secrets-"));
  const file = join(directory, "secret");
  const place = { file };
  const password = randomUUID();
  const postgres = `postgresql://someone:${password}@127.0.0.1:1/nowhere`;
  afterAll(() => rmSync(directory, { recursive: true }));

  test.each([
    ["a ledger whose database is not there", postgres, { ledger: { postgres: { connectionString: place } } }],
    [
      "a ledger whose connection string cannot be read",
      `postgresql://someone:${password}@[nowhere`,
      { ledger: { postgres: { connectionString: place } } },
    ],
    ["a ledger whose connection string is none", password, { ledger: { postgres: { connectionString: place } } }],
    [
      "indexes whose database is not there",
      postgres,
      { index: { use: "pgvector" as const, pgvector: { connectionString: place } } },
    ],
    [
      "indexes whose connection string is none",
      password,
      { index: { use: "pgvector" as const, pgvector: { connectionString: place } } },
    ],
  ])("says why without its secret: %s", async (_, secret, configuration) => {
    writeFileSync(file, secret);
    const error = await failureOf(startTestServer({ configuration: { ...configuration, dataDirectory: directory } }));
    const everything = [String(error), error.stack, JSON.stringify(error), JSON.stringify(error.cause)].join("\n");
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      expect(`${cause.message}\n${cause.stack}`).not.toContain(password);
    expect(everything).not.toContain(password);
  });
});

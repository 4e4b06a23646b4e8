import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadFileDescriptorSetFromBuffer } from "@grpc/proto-loader";
import { descriptorSetFile, proto } from "@loci/api";
import { connectLoci } from "@loci/client";
import type { LociError } from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { failureOf, scopeOf, startTestServer, testKey, type TestServer } from "./test-server.ts";

type Job = NonNullable<proto.MaintenanceJob["job"]>;

/** Every kind of job of the contract: whoever adds one adds a row. */
const descriptors = loadFileDescriptorSetFromBuffer(readFileSync(descriptorSetFile)) as unknown as Readonly<
  Record<string, { readonly type: { readonly field: readonly { readonly name: string }[] } }>
>;
const kinds = descriptors["loci.v1.MaintenanceJob"]?.type.field.map(({ name }) => name) ?? [];

const room = mkdtempSync(join(tmpdir(), "loci-jobs-"));
const backups = join(room, "backups");
const never = "never";
const evaluationTime = undefined;

interface Row {
  readonly job: Job;
  /** Concerns every tenant, so that the admin of one may not start it. */
  readonly operates?: true;
}

const rows: Readonly<Record<Job["$case"], Row>> = {
  reindex: { job: { $case: "reindex", value: { to: "", embedder: "", dropOld: true } }, operates: true },
  verify: { job: { $case: "verify", value: { repair: true } } },
  expire: { job: { $case: "expire", value: { evaluationTime } } },
  prune: { job: { $case: "prune", value: { dormantDays: 0, removeAfterDays: 0, evaluationTime } } },
  compact: { job: { $case: "compact", value: {} }, operates: true },
  reweigh: { job: { $case: "reweigh", value: { evaluationTime } } },
  review: { job: { $case: "review", value: { staticDays: 0, evaluationTime } } },
  backup: { job: { $case: "backup", value: { directory: never } }, operates: true },
  erase: { job: { $case: "erase", value: { what: { $case: "user", value: "alice" } } } },
  encrypt: { job: { $case: "encrypt", value: {} }, operates: true },
};

const admin = ["admin"] as const;
const keys = {
  owner: testKey({ id: "owner", roles: admin }),
  writer: testKey({ id: "writer" }),
  narrow: testKey({ id: "narrow", roles: admin, scopes: ["user:bob"] }),
  stranger: testKey({ id: "stranger", tenant: "globex", roles: admin }),
  operator: testKey({ id: "operator", tenant: "operations", roles: ["admin", "operate"] }),
};

let server: TestServer;

/** Starts a job and answers with its operation at its end. */
async function run(key: string, job: Job): Promise<proto.Operation> {
  const client = server.client(key);
  const response = await client.call(
    "/loci.v1.MaintenanceService/StartMaintenance",
    proto.StartMaintenanceRequest.create({ job: { job } }),
  );
  const { id = "" } = (response as proto.StartMaintenanceResponse).operation ?? {};
  const waited = await client.call(
    "/loci.v1.OperationService/WaitOperation",
    proto.WaitOperationRequest.create({ id, timeout: { seconds: 20n, nanos: 0 } }),
  );
  const { operation } = waited as proto.WaitOperationResponse;
  if (operation === undefined) throw new Error("no operation");
  return operation;
}

/** What an operation failed for, or that it succeeded. */
function outcomeOf({ state, error }: proto.Operation): string {
  if (state === proto.OperationState.SUCCEEDED) return "succeeded";
  return (
    Buffer.from(error?.details[0]?.value ?? [])
      .toString("latin1")
      .match(/[A-Z]+(_[A-Z]+)+/)?.[0] ?? `state ${state}`
  );
}

/** All that the owner's tenant has, byte for byte. */
async function state(): Promise<unknown> {
  const client = server.client(keys.owner.key);
  return await client.call("/loci.v1.MaintenanceService/ExportMemories", proto.ExportMemoriesRequest.create({}));
}

beforeAll(async () => {
  server = await startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: { backupDirectory: backups, apiKeys: Object.values(keys).map(({ entry }) => entry) },
  });
  const owner = server.client(keys.owner.key);
  const stranger = server.client(keys.stranger.key);
  for (const client of [owner, stranger])
    for (const scope of ["user:alice", "user:bob"]) await client.remember(`The canary of ${scope}.`, scope);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(room, { recursive: true });
});

test("every job of the contract has a row here", () => {
  expect(kinds.length).toBeGreaterThan(0);
  expect(Object.keys(rows)).toEqual(kinds);
});

describe.each(Object.entries(rows))("%s", (_, { job, operates }) => {
  test("needs its role", async () => {
    const before = await state();
    const client = server.client(keys.writer.key);
    const request = proto.StartMaintenanceRequest.create({ job: { job } });
    const refused = await failureOf(client.call("/loci.v1.MaintenanceService/StartMaintenance", request));
    expect(refused.reason).toBe("ROLE_REQUIRED");
    expect(await state()).toEqual(before);
    expect(existsSync(join(backups, never))).toBe(false);
  });

  test("of another tenant changes nothing here, and says nothing of what is here", async () => {
    const before = await state();
    const operation = await run(keys.stranger.key, job);
    expect(outcomeOf(operation)).toBe(operates === true ? "ROLE_REQUIRED" : "succeeded");
    expect(JSON.stringify(operation, withoutBigInt)).not.toContain("canary");
    expect(await state()).toEqual(before);
  });
});

test.each(Object.entries(rows).filter(([, { operates }]) => operates === true))(
  "%s concerns every tenant, so the admin of one may not start it",
  async (_, { job }) => {
    expect(outcomeOf(await run(keys.owner.key, job))).toBe("ROLE_REQUIRED");
    expect(existsSync(join(backups, never))).toBe(false);
  },
);

test("an erasure reaches no further than the scopes and the tenant of its key", async () => {
  const before = await state();
  const erase = (key: string, what: NonNullable<proto.EraseJob["what"]>): Promise<string> =>
    run(key, { $case: "erase", value: { what } }).then(outcomeOf);
  const { narrow, stranger, operator } = keys;
  expect(await erase(narrow.key, { $case: "user", value: "alice" })).toBe("SCOPE_NOT_PERMITTED");
  expect(await erase(narrow.key, { $case: "scope", value: scopeOf("user:alice") })).toBe("SCOPE_NOT_PERMITTED");
  expect(await erase(narrow.key, { $case: "tenant", value: "acme" })).toBe("SCOPE_NOT_PERMITTED");
  // Who operates the server has no more rights in another tenant than anybody else.
  for (const { key } of [stranger, operator])
    expect(await erase(key, { $case: "tenant", value: "acme" })).toBe("INVALID_REQUEST");
  for (const user of ["*", "%", "alice%", "ALICE", "alice' OR 1=1 --", "user:alice", "global"])
    expect(await erase(operator.key, { $case: "user", value: user })).toMatch(/succeeded|INVALID_/);
  expect(await state()).toEqual(before);
});

test("an export and an import know the key's own tenant and scopes only", async () => {
  const before = (await state()) as proto.ExportMemoriesResponse;
  const narrow = server.client(keys.narrow.key);
  const stranger = server.client(keys.stranger.key);
  const exportMemories = "/loci.v1.MaintenanceService/ExportMemories";
  const seen = (await narrow.call(exportMemories, proto.ExportMemoriesRequest.create({}))) as typeof before;
  expect(seen.lines.length).toBe(1);
  expect(seen.lines.join("")).not.toContain("alice");
  // A token of another tenant is only an id to begin after.
  const { id } = JSON.parse(before.lines[0] ?? "") as { id: string };
  const page = await stranger.call(exportMemories, proto.ExportMemoriesRequest.create({ pageToken: id }));
  for (const line of before.lines) expect((page as typeof before).lines).not.toContain(line);
  const importMemories = "/loci.v1.MaintenanceService/ImportMemories";
  const request = proto.ImportMemoriesRequest.create({ lines: before.lines });
  expect((await failureOf(narrow.call(importMemories, request))).reason).toBe("SCOPE_NOT_PERMITTED");
  // The ids are those of acme's memories, and become memories of globex.
  const edited = before.lines.map((line) => line.replace("The canary", "The forgery"));
  await stranger.call(importMemories, proto.ImportMemoriesRequest.create({ lines: edited }));
  expect(await state()).toEqual(before);
});

test("an operation is its tenant's, its report too", async () => {
  const { id } = await run(keys.owner.key, rows.review.job);
  const stranger = server.client(keys.operator.key);
  for (const method of ["GetOperation", "WaitOperation", "CancelOperation"])
    expect((await failureOf(stranger.call(`/loci.v1.OperationService/${method}`, { id }))).reason).toBe(
      "OPERATION_NOT_FOUND",
    );
});

test("indexes go only where the server is configured to have them", async () => {
  const before = readdirSync(server.dataDirectory);
  for (const to of ["../x", "/etc", "__proto__", "constructor", "embedded/../../x", "postgresql://127.0.0.1/x", "a\0"])
    for (const value of [
      { to, embedder: "", dropOld: true },
      { to: "", embedder: to, dropOld: true },
    ])
      expect(outcomeOf(await run(keys.operator.key, { $case: "reindex", value }))).toMatch(/^INVALID_/);
  expect(readdirSync(server.dataDirectory)).toEqual(before);
});

async function backUp(directory: string): Promise<string> {
  return run(keys.operator.key, { $case: "backup", value: { directory } }).then(
    outcomeOf,
    ({ reason }: LociError) => reason,
  );
}

test("a backup goes into the backup directory and nowhere else, by whatever name it is called", async () => {
  mkdirSync(join(backups, "deeper/empty"), { recursive: true });
  symlinkSync(server.dataDirectory, join(backups, "link"));
  symlinkSync(mkdirSync(join(room, "elsewhere"), { recursive: true }) ?? "", join(backups, "planted"));
  const before = readdirSync(room, { recursive: true, encoding: "utf8" }).toSorted();
  const data = readdirSync(server.dataDirectory, { recursive: true, encoding: "utf8" }).toSorted();
  const paths = [server.dataDirectory, join(room, "other"), room, backups, "/", join(backups, "deeper/empty")];
  const parts = [
    "..",
    "../other",
    ".",
    "./x",
    "a/b",
    "deeper/empty",
    "deeper/../x",
    "link",
    "link/x",
    "planted",
    ".git",
  ];
  const odd = ["", " ", "a\0b", "a\nb", "-rf", "--output=x", "x".repeat(129), "ä", "a\\b", "C:x", "~"];
  for (const wrong of [...paths, ...parts, ...odd, ...parts.map((part) => `${backups}/${part}`)])
    expect([wrong, await backUp(wrong)]).toEqual([wrong, "INVALID_REQUEST"]);
  expect(readdirSync(room, { recursive: true, encoding: "utf8" }).toSorted()).toEqual(before);
  expect(readdirSync(server.dataDirectory, { recursive: true, encoding: "utf8" }).toSorted()).toEqual(data);
});

test.each(["2026-11-22", join(backups, "2026-11-23")])(
  "%s is made, for the server's user alone, once",
  async (name) => {
    expect(await backUp(name)).toBe("succeeded");
    const target = resolve(backups, name);
    expect(readdirSync(target).toSorted()).toEqual(["erasures.jsonl", "ledger.sqlite", "manifest.json"]);
    expect(statSync(target).mode & 0o777).toBe(0o700);
    // Nothing there is ever written over.
    expect(await backUp(name)).toBe("INVALID_REQUEST");
  },
);

test("without a setting the backup directory is `backups` in the data directory", async () => {
  await using other = await startTestServer({ openEngine: engineWith(gatedEmbedder()) });
  await using loci = connectLoci({ address: other.address, apiKey: other.apiKey });
  await loci.maintenance.backup({ directory: "first" });
  expect(readdirSync(join(other.dataDirectory, "backups"))).toEqual(["first"]);
});

function withoutBigInt(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

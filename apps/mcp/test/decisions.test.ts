import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Loci, type Memory, openEngine, type OpenedEngine, type ScopeText, tenantId } from "@loci/loci";
import {
  type CallToolResult,
  Client as Client2026,
  type ElicitResult,
  type InputRequiredResult,
} from "@modelcontextprotocol/client";
import { Client as Client2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { ToolEnvironment } from "../src/tools/tool-environment.ts";
import { environmentOf, serveInMemory } from "./connect-client.ts";

let directory: string;
let engine: OpenedEngine;
let loci: Loci;
/** Somebody who may not approve. */
let writer: Loci;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "loci-mcp-decisions-"));
  engine = await openEngine({ dataDirectory: directory });
  const of = { tenant: tenantId("local"), scopePatterns: ["*"] };
  loci = engine.for({ ...of, subject: "local", roles: ["read", "write", "approve", "admin"] });
  writer = engine.for({ ...of, subject: "writer", roles: ["read", "write"] });
});
afterAll(async () => {
  await engine.close();
  rmSync(directory, { recursive: true });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Somebody in front of a client, what they answer and what they were shown. */
interface Person {
  readonly shown: string[];
  answer: ElicitResult;
}

function person(decision: string): Person {
  return { shown: [], answer: { action: "accept", content: { decision } } };
}

/** What a client of either protocol can do here. */
interface Caller {
  call(name: string, input: Record<string, unknown>): Promise<CallToolResult>;
}

async function connect2026(environment: ToolEnvironment, sitting: Person): Promise<Caller> {
  const client = new Client2026(
    { name: "new", version: "1" },
    { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: {} } },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    sitting.shown.push(params.message);
    return sitting.answer;
  });
  await client.connect(serveInMemory(environment));
  await client.listTools();
  return { call: (name, input) => client.callTool({ name, arguments: input }) };
}

async function connect2025(environment: ToolEnvironment, sitting: Person): Promise<Caller> {
  const client = new Client2025({ name: "old", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    sitting.shown.push(params.message);
    return sitting.answer;
  });
  await client.connect(serveInMemory(environment));
  await client.listTools();
  return { call: async (name, input) => (await client.callTool({ name, arguments: input })) as CallToolResult };
}

function textOf({ content: [part] }: CallToolResult): string {
  return part?.type === "text" ? part.text : "";
}

let scopes = 0;
/** A scope that no other test has used. */
function freshScope(): ScopeText {
  return `user:u${++scopes}`;
}

async function proposedEdit(owner: ScopeText, value: string): Promise<string> {
  await loci.blocks.create({ owner, label: "human", values: { name: "Ann", facts: ["likes tea"] } });
  const operations = [{ op: "append", field: "facts", value }] as const;
  return (await loci.blocks.propose({ owner, label: "human", operations, reason: "She said so" })).id;
}

async function waitingMemory(scope: ScopeText, lesson: string): Promise<string> {
  const memory = await writer.captures.recordPostMortem({ scope, failure: "It broke.", lesson });
  const { reviews } = await loci.captures.reviews.list({ scopes: [scope] });
  return reviews.find((review) => review.memory.id === memory.id)?.id ?? "";
}

describe.each([
  ["2026-07-28", connect2026],
  ["2025-11-25", connect2025],
])("with a client of %s", (_, connect) => {
  test("a memory is forgotten when the person says so in the form, which shows it", async () => {
    const scope = freshScope();
    const sitting = person("forget");
    const { call } = await connect(environmentOf(loci, [scope]), sitting);
    const { id } = await loci.memories.remember({ text: "The kiln is\nfired\u202e on \u200bTuesdays.", scope });
    expect((await call("forget", { id })).structuredContent).toEqual({
      id,
      isForgotten: true,
      undo: `loci memories restore ${id}`,
    });
    expect(sitting.shown).toEqual([
      expect.stringMatching(
        /^Forget this memory\?\nfact of user:u\d+, of \d{4}-\d\d-\d\d, stored by a person or a program\n\n- The kiln is\n- fired\\u\{202e\} on \\u\{200b\}Tuesdays\.$/,
      ),
    ]);
    expect((await loci.memories.list({ scopes: [scope] })).memories).toEqual([]);
  });

  test.each([
    ["keeps it", { action: "accept", content: { decision: "keep" } }],
    ["declines", { action: "decline" }],
    ["closes the form", { action: "cancel" }],
    ["answers something else", { action: "accept", content: { decision: "yes" } }],
    ["answers another question", { action: "accept", content: { answer: "forget" } }],
  ] as const)("it stays when the person %s", async (__, answer) => {
    const scope = freshScope();
    const sitting = { ...person("keep"), answer: answer as ElicitResult };
    const { call } = await connect(environmentOf(loci, [scope]), sitting);
    const { id } = await loci.memories.remember({ text: "It stays.", scope });
    const { structuredContent } = await call("forget", { id });
    // A client may refuse an answer that is not of its form before it is sent.
    expect((structuredContent as { isForgotten?: boolean } | undefined)?.isForgotten ?? false).toBe(false);
    expect((await loci.memories.get(id)).state).toBe("active");
  });

  test("a change of a block is approved as it was shown", async () => {
    const scope = freshScope();
    const id = await proposedEdit(scope, "likes coffee");
    const sitting = person("approve");
    const { call } = await connect(environmentOf(loci, [scope]), sitting);
    expect((await call("review", {})).structuredContent).toEqual({ id, decision: "approved", waiting: 0 });
    expect(sitting.shown).toEqual([
      `Change this block?\nhuman of ${scope}, proposed by local\n| She said so\n\nfacts:\n+ likes coffee`,
    ]);
    const block = await loci.blocks.get({ owner: scope, label: "human" });
    expect(block).toMatchObject({ version: 2, values: { facts: ["likes tea", "likes coffee"] } });
  });

  test("what waits is decided about one by one, the oldest first, and the model is shown none of it", async () => {
    const scope = freshScope();
    const memory = await waitingMemory(scope, "Never fire a wet pot.");
    const edit = await proposedEdit(scope, "owns a kiln");
    const sitting = person("reject");
    const { call } = await connect(environmentOf(loci, [scope]), sitting);
    const first = await call("review", {});
    expect(first.structuredContent).toEqual({ id: memory, decision: "rejected", waiting: 1, next: edit });
    sitting.answer = { action: "decline" };
    expect((await call("review", { id: edit })).structuredContent).toEqual({
      id: edit,
      decision: "undecided",
      waiting: 1,
    });
    sitting.answer = { action: "accept", content: { decision: "reject" } };
    const last = await call("review", { id: edit });
    expect(last.structuredContent).toEqual({ id: edit, decision: "rejected", waiting: 0 });
    expect((await call("review", {})).structuredContent).toEqual({ waiting: 0 });
    expect(sitting.shown[0]).toContain("\n\n+ Never fire a wet pot.");
    expect(JSON.stringify([first, last])).not.toMatch(/wet pot|owns a kiln/);
    expect((await loci.memories.list({ scopes: [scope] })).memories).toEqual([]);
  });

  test("what is changed while somebody decides about it is not what they decided about", async () => {
    const scope = freshScope();
    const { id, etag } = await loci.memories.remember({ text: "It is blue.", scope });
    const changing: Person = {
      shown: [],
      get answer(): ElicitResult {
        return { action: "accept", content: { decision: "forget" } };
      },
    };
    const { call } = await connect(environmentOf(loci, [scope]), {
      get shown() {
        void loci.memories.update(id, { text: "It is red." }, { etag });
        return changing.shown;
      },
      answer: changing.answer,
    });
    expect(textOf(await call("forget", { id }))).toMatch(/^VERSION_CONFLICT: /);
    expect(await loci.memories.get(id)).toMatchObject({ text: "It is red.", state: "active" });
  });
});

/** A client that sees what goes over the wire, as one that means harm. */
class ByHand {
  readonly #client: Client2026;

  private constructor(client: Client2026) {
    this.#client = client;
  }

  static async connect(environment: ToolEnvironment): Promise<ByHand> {
    const client = new Client2026(
      { name: "by hand", version: "1" },
      {
        versionNegotiation: { mode: "auto" },
        capabilities: { elicitation: {} },
        inputRequired: { autoFulfill: false },
      },
    );
    await client.connect(serveInMemory(environment));
    return new ByHand(client);
  }

  async call(name: string, input: object, more: object = {}): Promise<CallToolResult | InputRequiredResult> {
    const params = { name, arguments: { ...input }, ...more } as Parameters<Client2026["callTool"]>[0];
    return this.#client.callTool(params, { allowInputRequired: true });
  }

  /** The state that comes with a form. */
  async ask(name: string, input: object): Promise<string> {
    const { requestState } = (await this.call(name, input)) as InputRequiredResult;
    if (requestState === undefined) throw new Error(`${name} shows no form`);
    return requestState;
  }
}

function answered(requestState: string | undefined, decision: string): object {
  const inputResponses = { decision: { action: "accept", content: { decision } } };
  return { inputResponses, ...(requestState === undefined ? {} : { requestState }) };
}

describe("a form's answer counts only", () => {
  let scope: ScopeText;
  let memory: Memory;
  let client: ByHand;
  const forget = (requestState: string | undefined, id: string = memory.id): Promise<unknown> =>
    client.call("forget", { id }, answered(requestState, "forget"));
  const forgotten = { structuredContent: { isForgotten: true } };
  const isThere = async (): Promise<boolean> => (await loci.memories.get(memory.id)).state === "active";

  beforeEach(async () => {
    scope = freshScope();
    memory = await loci.memories.remember({ text: "It is here.", scope });
    client = await ByHand.connect(environmentOf(loci, [scope]));
  });

  test("with the state that came with the form", async () => {
    expect(await forget(undefined)).toMatchObject({ resultType: "input_required" });
    expect(await client.call("forget", { id: memory.id, decision: "forget" })).toMatchObject({ isError: true });
    expect(await isThere()).toBe(true);
    expect(await forget(await client.ask("forget", { id: memory.id }))).toMatchObject(forgotten);
  });

  test("when nothing of the state was changed", async () => {
    const state = await client.ask("forget", { id: memory.id });
    const [version = "", body = "", mac = ""] = state.split(".");
    const payload = Buffer.from(body, "base64url").toString().replace(memory.etag, "*");
    for (const forged of [
      "",
      "made up",
      `${version}.${Buffer.from(payload).toString("base64url")}.${mac}`,
      `${version}.${body}.`,
      `${version}.${body}.${mac.slice(0, -2)}AA`,
      `${version}.${body}`,
    ])
      await expect(forget(forged)).rejects.toThrow(/requestState/);
    expect(await isThere()).toBe(true);
  });

  test("in the call that showed it", async () => {
    const other = await loci.memories.remember({ text: "Another.", scope });
    const state = await client.ask("forget", { id: other.id });
    expect(await forget(state)).toMatchObject({ isError: true });
    const edit = await proposedEdit(scope, "x");
    const reviewed = await client.call("review", { id: edit }, answered(state, "approve"));
    expect(reviewed).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^INVALID_REQUEST: /) }] });
    expect(await isThere()).toBe(true);
    expect((await loci.blocks.getEdit({ id: edit })).edit.state).toBe("pending");
  });

  test("from the caller who was asked", async () => {
    const state = await client.ask("forget", { id: memory.id });
    for (const foreign of [{ principal: "another" }, { secret: new Uint8Array(32).fill(1) }]) {
      client = await ByHand.connect({ ...environmentOf(loci, [scope]), ...foreign });
      await expect(forget(state)).rejects.toThrow(/requestState/);
    }
    expect(await isThere()).toBe(true);
  });

  test("for ten minutes", async () => {
    const state = await client.ask("forget", { id: memory.id });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 601_000 });
    await expect(forget(state)).rejects.toThrow(/requestState/);
    vi.setSystemTime(Date.now() - 10_000);
    expect(await forget(state)).toMatchObject(forgotten);
  });

  test("once", async () => {
    const state = await client.ask("forget", { id: memory.id });
    expect(await forget(state)).toMatchObject(forgotten);
    await loci.memories.restore(memory.id, memory.version);
    expect(await forget(state)).toMatchObject({ isError: true });
    expect(await isThere()).toBe(true);

    const edit = await proposedEdit(scope, "likes coffee");
    const reviewing = await client.ask("review", { id: edit });
    const approve = (): Promise<unknown> => client.call("review", { id: edit }, answered(reviewing, "approve"));
    expect(await approve()).toMatchObject({ structuredContent: { decision: "approved" } });
    expect(await approve()).toMatchObject({ isError: true });
    expect((await loci.blocks.get({ owner: scope, label: "human" })).version).toBe(2);
  });

  test("for what was shown, and not for what came of it since", async () => {
    const edit = await proposedEdit(scope, "likes coffee");
    const state = await client.ask("review", { id: edit });
    const { etag } = await loci.blocks.get({ owner: scope, label: "human" });
    await loci.blocks.update({ owner: scope, label: "human" }, { values: { name: "Bea" } }, { etag });
    const approved = await client.call("review", { id: edit }, answered(state, "approve"));
    expect(approved).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^EDIT_CONFLICT: /) }] });
  });
});

test("who may not approve is told so, before anybody is asked", async () => {
  const scope = freshScope();
  await proposedEdit(scope, "x");
  const sitting = person("approve");
  const { call } = await connect2026(environmentOf(writer, [scope]), sitting);
  expect(textOf(await call("review", {}))).toMatch(/^ROLE_REQUIRED: /);
  expect(sitting.shown).toEqual([]);
});

describe("where no form can be shown", () => {
  test("the model is told by which command the person decides", async () => {
    const scope = freshScope();
    const { id } = await loci.memories.remember({ text: "It stays.", scope });
    const edit = await proposedEdit(scope, "x");
    const without = new Client2026({ name: "no forms", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await without.connect(serveInMemory(environmentOf(loci, [scope])));
    const old = new Client2025({ name: "no forms", version: "1" });
    await old.connect(serveInMemory(environmentOf(loci, [scope])));
    for (const client of [without, old] as const) {
      const forget = (await client.callTool({ name: "forget", arguments: { id } })) as CallToolResult;
      expect([forget.isError, textOf(forget)]).toEqual([
        true,
        `FAILED_PRECONDITION: A person decides about this, and this client shows no forms.\nTell the user, who can run: loci memories forget ${id}`,
      ]);
      const review = (await client.callTool({ name: "review", arguments: {} })) as CallToolResult;
      expect(textOf(review)).toContain(`loci blocks approve ${edit} (or reject)`);
    }
    expect((await loci.memories.get(id)).state).toBe("active");
  });

  test("nor what is too long to be seen whole", async () => {
    const scope = freshScope();
    const { id } = await loci.memories.remember({ text: "long ".repeat(4_000), scope });
    const sitting = person("forget");
    const { call } = await connect2026(environmentOf(loci, [scope]), sitting);
    expect(textOf(await call("forget", { id }))).toContain("it is too long for a form");
    expect(sitting.shown).toEqual([]);
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChatMessage, tenantId } from "@loci/domain";
import type { EngineOptions } from "@loci/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const long = "memory ".repeat(200);
const messages: readonly ChatMessage[] = [
  { role: "system", content: "You are terse." },
  { role: "user", content: long },
  { role: "assistant", content: "Yes." },
  { role: "user", content: "And now?" },
  { role: "assistant", content: "No." },
  { role: "user", content: "Why?" },
];
const limits = { maxInputTokens: 150, estimatedOutputTokens: 50 };

async function withEngine(options: Partial<EngineOptions>, run: (opened: TestEngine) => Promise<void>): Promise<void> {
  await using opened = await TestEngine.open(options);
  await run(opened);
}

describe("enforce", () => {
  let opened: TestEngine;
  beforeAll(async () => {
    opened = await TestEngine.open();
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  test("has what was dropped summarised in the room that is left", async () => {
    const asked: unknown[] = [];
    const { budget } = opened.loci;
    const enforced = await budget.enforce({
      ...limits,
      messages,
      onExceed: "SUMMARIZE",
      summarize: async (dropped, maxTokens) => {
        asked.push(dropped);
        expect(maxTokens).toBeGreaterThan(0);
        return "They spoke of memory.";
      },
    });
    expect(asked).toEqual([[messages[1]]]);
    expect(enforced.summarized).toBe(true);
    expect(enforced.messages[1]).toMatchObject({ role: "user", content: expect.stringContaining("spoke of memory") });
    expect(enforced.tokens).toBeLessThanOrEqual(100);
  });

  describe("of a long conversation", () => {
    const talk = Array.from({ length: 160 }, (_, turn): ChatMessage => ({
      role: turn % 2 === 0 ? "user" : "assistant",
      content: turn === 1 ? "We decided to use PostgreSQL." : `Part ${turn}. ${"word ".repeat(40)}`,
    }));
    const wanted = {
      messages: talk,
      maxInputTokens: 4_000,
      estimatedOutputTokens: 500,
      onExceed: "SUMMARIZE",
    } as const;

    test("leaves room for a summary, and writes one itself", async () => {
      const enforced = await opened.loci.budget.enforce(wanted);
      expect(enforced.summarized).toBe(true);
      expect(enforced.messages[0]?.content).toMatch(/^\[Summary of earlier conversation\]:\n\*\*Context Summary/);
      expect(enforced.messages[0]?.content).toContain("decided to use PostgreSQL");
      expect(enforced.tokens).toBeLessThanOrEqual(3_500);
    });

    test("gives a summary 30% of the input, and at most 1,000 tokens", async () => {
      let room = 0;
      const summarize = async (_: unknown, maxTokens: number): Promise<string> => {
        room = maxTokens;
        return "Short.";
      };
      await opened.loci.budget.enforce({ ...wanted, summarize });
      expect(room).toBe(1_000);
      await opened.loci.budget.enforce({ ...wanted, maxInputTokens: 1_500, summarize });
      expect(room).toBeGreaterThanOrEqual(290);
    });

    test.each<[string, () => Promise<string>]>([
      ["fails", () => Promise.reject(new Error("no model"))],
      ["says too much", async () => "word ".repeat(2_000)],
      ["gives no text", async () => 7 as unknown as string],
    ])("summarises itself when the caller's function %s", async (_, summarize) => {
      const enforced = await opened.loci.budget.enforce({ ...wanted, summarize });
      expect(enforced.messages[0]?.content).toContain("decided to use PostgreSQL");
    });
  });

  test("gives up a summary when the call is aborted", async () => {
    const controller = new AbortController();
    const refused = opened.loci.budget.enforce(
      {
        ...limits,
        messages,
        onExceed: "SUMMARIZE",
        summarize: async () => {
          controller.abort();
          return "Too late.";
        },
      },
      { signal: controller.signal },
    );
    await expect(refused).rejects.toMatchObject({ reason: "CANCELLED" });
  });

  test.each([
    ["nothing that is JSON", { a: 1n }, "INVALID_REQUEST"],
    ["no object", "{}", "INVALID_REQUEST"],
    ["a list 100,000 deep", { properties: { a: { items: nested(100_000) } } }, "INVALID_REQUEST"],
    [
      "a list of a million",
      { properties: { a: { enum: Array.from({ length: 1_000_000 }, () => 0) } } },
      "TEXT_TOO_LARGE",
    ],
    ["a long text", { description: "x".repeat(70_000) }, "TEXT_TOO_LARGE"],
  ])("refuses a tool whose parameters are %s, whatever counts it", async (_, parameters, reason) => {
    const { budget } = opened.loci;
    const tools = [{ type: "function", function: { name: "find", parameters: parameters as never } }] as const;
    const refused = { reason, code: "INVALID_ARGUMENT", field: "tools[0].function.parameters" };
    for (const model of ["gpt-4o", "claude-sonnet-4-5"])
      await expect(budget.enforce({ ...limits, messages, tools, model })).rejects.toMatchObject(refused);
    await expect(budget.trim({ maxTokens: 1_000, messages, tools })).rejects.toMatchObject(refused);
  });

  test("takes names of JavaScript's in a schema for names", async () => {
    const { budget } = opened.loci;
    const parameters = JSON.parse(
      '{"properties":{"__proto__":{"polluted":true},"constructor":{"type":"string"}}}',
    ) as never;
    const tools = [{ type: "function", function: { name: "find", parameters } }] as const;
    await budget.trim({ maxTokens: 1_000, messages, tools });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("counts tools", async () => {
    const { budget } = opened.loci;
    const tools = [{ type: "function", function: { name: "find", description: long } }] as const;
    await expect(budget.enforce({ ...limits, messages, tools })).rejects.toMatchObject({
      reason: "KEPT_MESSAGES_TOO_LARGE",
    });
    await expect(budget.enforce({ ...limits, messages, tools: [{} as never] })).rejects.toMatchObject({
      reason: "INVALID_REQUEST",
      field: "tools[0]",
    });
  });
});

describe("caps", () => {
  const call = { model: "gpt-4o", inputTokens: 900, outputTokens: 50 };
  const next = { model: "gpt-4o", messages, maxInputTokens: 1000, estimatedOutputTokens: 0 };

  test("in tokens stop a session, and not another one", () =>
    withEngine({ usageCaps: { session: { tokens: 1000 } } }, async ({ loci }) => {
      await loci.budget.enforce({ ...next, session: "one" });
      await loci.budget.record({ ...call, session: "one" });
      const refused = loci.budget.enforce({ ...next, session: "one" });
      await expect(refused).rejects.toMatchObject({ reason: "USAGE_CAP_REACHED", code: "FAILED_PRECONDITION" });
      await loci.budget.enforce({ ...next, session: "two" });
      await loci.budget.enforce(next);
    }));

  test("in money stop a tenant, and not another one", () =>
    withEngine({ usageCaps: { tenant: { cost: 0.01 } } }, async (opened) => {
      const { budget } = opened.loci;
      await budget.record({ model: "gpt-4o", inputTokens: 3900, outputTokens: 0 });
      await expect(budget.enforce(next)).rejects.toMatchObject({ reason: "USAGE_CAP_REACHED", resource: "tenant" });
      await opened.as({ tenant: tenantId("other") }).budget.enforce(next);
      await expect(budget.enforce({ ...next, model: "nobody-1" })).rejects.toMatchObject({
        reason: "INVALID_REQUEST",
        field: "model",
      });
    }));

  test("hold after a restart", () =>
    withEngine({ usageCaps: { session: { tokens: 1000 } } }, async (opened) => {
      await opened.loci.budget.record({ ...call, session: "one" });
      const before = await opened.loci.budget.totals({});
      await opened.reopen();
      expect(await opened.loci.budget.totals({})).toEqual(before);
      await expect(opened.loci.budget.enforce({ ...next, session: "one" })).rejects.toMatchObject({
        reason: "USAGE_CAP_REACHED",
      });
    }));

  test.each([
    ["usageCaps.session.tokens", { session: { tokens: -1 } }],
    ["usageCaps.tenant.cost", { tenant: { cost: Number.NaN } }],
  ])("refuses %s", async (field, usageCaps) => {
    await expect(TestEngine.open({ usageCaps })).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION", field });
  });
});

describe("models of the user", () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "loci-tokenizer-"));
  });
  afterAll(() => rm(directory, { recursive: true }));

  test("are counted with their own tokenizer file, and cost what they cost", async () => {
    const bytes = Array.from({ length: 256 }, (_, byte) => byte);
    const printable = (byte: number): boolean =>
      (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    const others = bytes.filter((byte) => !printable(byte)).map((_, index) => 0x100 + index);
    const vocabulary = [...bytes.filter(printable), ...others].map((point) => String.fromCodePoint(point));
    const file = join(directory, "tokenizer.json");
    await writeFile(
      file,
      JSON.stringify({
        pre_tokenizer: { type: "ByteLevel", add_prefix_space: false },
        model: {
          type: "BPE",
          vocab: Object.fromEntries([...vocabulary, "ab"].map((token, id) => [token, id])),
          merges: ["a b"],
        },
      }),
    );
    const models = [{ name: "mine", tokenizerFile: file, prices: { input: 1000, output: 0 } }];
    await withEngine({ models }, async ({ loci }) => {
      expect(await loci.tokens.count({ text: "abab", model: "Mine-2" })).toEqual({
        tokens: 2,
        tokenizer: expect.stringMatching(/^huggingface:[0-9a-f]{12}$/),
        estimated: false,
      });
      expect(await loci.budget.record({ model: "mine", inputTokens: 5, outputTokens: 9 })).toMatchObject({
        cost: 0.005,
      });
    });
  });

  test("whose file is missing or broken are refused, naming the file, until it is put right", async () => {
    const missing = join(directory, "missing.json");
    const broken = join(directory, "broken.json");
    await writeFile(broken, "{");
    const models = [
      { name: "missing", tokenizerFile: missing },
      { name: "broken", tokenizerFile: broken },
      { name: "folder", tokenizerFile: directory },
    ];
    await withEngine({ models }, async ({ loci }) => {
      const count = (model: string): Promise<unknown> => loci.tokens.count({ text: "a", model });
      await expect(count("missing")).rejects.toMatchObject({ reason: "FILE_NOT_FOUND", resource: missing });
      await expect(count("broken")).rejects.toMatchObject({ reason: "MODEL_FILE_INVALID", resource: broken });
      await expect(count("folder")).rejects.toMatchObject({ reason: "MODEL_FILE_INVALID", resource: directory });
      await rm(broken);
      await expect(count("broken")).rejects.toMatchObject({ reason: "FILE_NOT_FOUND" });
    });
  });

  // What Linux only lets be written may not be read by anybody, whoever runs the test.
  test.runIf(process.platform === "linux")("whose file is not this user's are refused for that", async () => {
    const tokenizerFile = "/proc/sys/vm/compact_memory";
    await withEngine({ models: [{ name: "mine", tokenizerFile }] }, async ({ loci }) => {
      await expect(loci.tokens.count({ text: "a", model: "mine" })).rejects.toMatchObject({
        reason: "INVALID_CONFIGURATION",
        resource: tokenizerFile,
        message: `${tokenizerFile} cannot be used: EACCES.`,
      });
    });
  });

  test("are checked when the engine opens", async () => {
    await expect(TestEngine.open({ models: [{ name: "" }] })).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      field: "models[0].name",
    });
  });
});

/** A list in a list, so many times. */
function nested(depth: number): unknown {
  let list: readonly unknown[] = [];
  for (let level = 1; level < depth; level++) list = [list];
  return list;
}

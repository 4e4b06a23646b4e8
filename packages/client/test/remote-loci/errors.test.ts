import * as api from "@loci/api";
import { LociError } from "@loci/domain";
import { expect, test } from "vitest";
import { connected, errorOf } from "../fixture.ts";
import { sampleMemory as memory } from "../sample-memory.ts";

const { id } = memory;

test("an error of the server arrives as it was thrown", async () => {
  const thrown = new LociError("SECTION_OVER_BUDGET", {
    message: "The section system is 712 tokens long, 500 are allowed.\nÜberlänge: 42 % 🌙",
    advice: "Shorten it.",
    field: "system",
    resource: "system",
    details: { budgetTokens: "500", neededTokens: "712" },
  });
  const { loci } = await connected(() => Promise.reject(thrown));
  const error = await errorOf(loci.assemble({ query: "q" }));
  expect(error.toJSON()).toStrictEqual(thrown.toJSON());
});

test("an error nobody foresaw says nothing of what was in it", async () => {
  const { loci } = await connected(() => Promise.reject(new TypeError("the secret memory")));
  const error = await errorOf(loci.memories.get(id));
  expect(error).toMatchObject({ reason: "INTERNAL" });
  expect(JSON.stringify(error)).not.toContain("secret");
});

test("an answer that cannot be read is an error of the server, not of the caller", async () => {
  const { loci } = await connected(() => ({ memory: { ...api.memoryToProto(memory), scope: undefined } }));
  await expect(loci.memories.get(id)).rejects.toMatchObject({
    reason: "INTERNAL",
    message: expect.stringContaining("scope is missing"),
  });
});

test("a function to summarise with is refused before anything is sent", async () => {
  const { loci, server } = await connected(() => undefined);
  const refused = loci.budget.enforce({ messages: [], onExceed: "SUMMARIZE", summarize: async () => "They met." });
  expect(await errorOf(refused)).toMatchObject({ reason: "UNSUPPORTED_OPERATION", field: "summarize" });
  expect(server.calls).toEqual([]);
});

test("a request that cannot be sent is refused without a call", async () => {
  const { loci, server } = await connected(() => ({ memory: api.memoryToProto(memory) }));
  await expect(loci.memories.remember({ text: "\ud800", scope: "global" })).rejects.toMatchObject({
    reason: "INVALID_TEXT",
  });
  await expect(loci.memories.rememberMany("no" as never)).rejects.toMatchObject({ reason: "INVALID_REQUEST" });
  await expect(loci.memories.restore(id, 1.5)).rejects.toMatchObject({ reason: "INVALID_NUMBER", field: "version" });
  await expect(loci.memories.markUsed([7 as never])).rejects.toMatchObject({ reason: "INVALID_IDENTIFIER" });
  await expect(loci.memories.get(id, { requestid: "x" } as never)).rejects.toMatchObject({
    reason: "INVALID_REQUEST",
    field: "options.requestid",
  });
  expect(server.calls).toEqual([]);
});

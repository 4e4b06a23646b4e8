import { LociError } from "@loci/domain";
import { describe, expect, test } from "vitest";
import * as api from "../src/index.ts";

const half = "\ud800";
const id = "0192f0c1-2345-7abc-8def-0123456789ab";

function errorOf(run: () => unknown): LociError {
  try {
    run();
  } catch (error) {
    if (LociError.is(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

const remember = (fields: object) => (): unknown =>
  api.rememberInputToProto({ text: "text", scope: "user:alice", ...fields });
const recall = (fields: object) => (): unknown =>
  api.recallRequestToProto({ query: "query", scopes: ["user:alice"], ...fields });
const list = (fields: object) => (): unknown => api.listMemoriesRequest.toProto({ scopes: ["user:alice"], ...fields });
const assemble = (fields: object) => (): unknown => api.assembleRequestToProto({ query: "query", ...fields });
const update = (patch: object) => (): unknown =>
  api.memoryUpdateToProto({ which: id as never, patch, precondition: { etag: "etag" } });
const budget = (fields: object) => (): unknown =>
  api.budgetCheckRequest.toProto({ systemTokens: 1, conversationTokens: 1, ...fields });

const trim = (fields: object) => (): unknown => api.trimRequest.toProto({ messages: [], maxTokens: 1, ...fields });
const enforce = (fields: object) => (): unknown => api.enforceBudgetRequestToProto({ messages: [], ...fields });
const record = (fields: object) => (): unknown =>
  api.recordUsageRequest.toProto({ model: "gpt-5", inputTokens: 1, outputTokens: 1, ...fields });

const session = (fields: object) => (): unknown => api.sessionInputToProto({ scope: "user:alice", id: "s", ...fields });
const append = (turn: object) => (): unknown =>
  api.appendTurns.toProto({ expectedLast: 0, turns: [{ role: "user", content: "hello", ...turn }] });
const save = (fields: object) => (): unknown => api.turnStateToProto({ sessionId: "s", ...fields } as never);

describe("what cannot be put on the wire is refused as the engine refuses it, never changed", () => {
  test.each<[string, () => unknown, string, string]>([
    ["half a surrogate pair in the id of a session", session({ id: half }), "INVALID_IDENTIFIER", "id"],
    ["a title that is a number", session({ title: 7 }), "INVALID_TEXT", "title"],
    ["a capture setting nobody knows", session({ capture: "daily" }), "INVALID_REQUEST", "capture"],
    ["half a turn", session({ capture: { everyTurns: 0.5 } }), "INVALID_NUMBER", "capture.everyTurns"],
    ["rememberTurns as text", session({ rememberTurns: "yes" }), "INVALID_REQUEST", "rememberTurns"],
    ["a misspelt field of a session", session({ titel: "x" }), "INVALID_REQUEST", "session.titel"],
    ["a turn of nobody", append({ role: "robot" }), "INVALID_MESSAGES", "turns[0].role"],
    ["half a surrogate pair in a turn", append({ content: half }), "INVALID_MESSAGES", "turns[0].content"],
    ["a turn recalled by text", append({ recalled: "yes" }), "INVALID_MESSAGES", "turns[0].recalled"],
    ["a call that is none", append({ toolCalls: [7] }), "INVALID_MESSAGES", "turns[0].toolCalls[0]"],
    ["a time that is none", append({ at: Number.NaN }), "INVALID_INSTANT", "turns[0].at"],
    ["a misspelt field of a turn", append({ time: 1 }), "INVALID_REQUEST", "turns[0].time"],
    ["not a number in a turn state", save({ turnNumber: Number.NaN }), "INVALID_REQUEST", "value"],
    ["a hole in a turn state", save({ filesRead: [undefined] }), "INVALID_REQUEST", "value"],
    ["half a surrogate pair in a turn state", save({ [half]: 1 }), "INVALID_REQUEST", "value"],
    ["a date in a turn state", save({ when: new Date() }), "INVALID_REQUEST", "value"],
    ["half a surrogate pair in a text", remember({ text: `a${half}` }), "INVALID_TEXT", "text"],
    ["a number as text", remember({ text: 42 }), "INVALID_TEXT", "text"],
    ["no text", remember({ text: undefined }), "INVALID_TEXT", "text"],
    ["a misspelt field", remember({ catgory: "fact" }), "INVALID_REQUEST", "input.catgory"],
    ["half a surrogate pair in a category", remember({ category: half }), "INVALID_CATEGORY", "category"],
    ["an importance that is text", remember({ importance: "0.5" }), "INVALID_NUMBER", "importance"],
    ["an importance that is null", remember({ importance: null }), "INVALID_NUMBER", "importance"],
    ["isStatic as a number", remember({ isStatic: 1 }), "INVALID_REQUEST", "isStatic"],
    ["a single tag", remember({ tags: "tag" }), "INVALID_TAGS", "tags"],
    ["half a surrogate pair in a tag", remember({ tags: ["a", half] }), "INVALID_TAGS", "tags[1]"],
    ["half a surrogate pair in a slot", remember({ slot: half }), "INVALID_IDENTIFIER", "slot"],
    ["an unknown origin", remember({ origin: "toString" }), "INVALID_REQUEST", "origin"],
    ["an unknown trust", remember({ trust: "" }), "INVALID_REQUEST", "trust"],
    ["metadata that is a list", remember({ metadata: [] }), "INVALID_METADATA", "metadata"],
    ["metadata that is nested", remember({ metadata: { a: {} } }), "INVALID_METADATA", "metadata.a"],
    ["metadata that is null", remember({ metadata: { a: null } }), "INVALID_METADATA", "metadata.a"],
    ["half a surrogate pair in metadata", remember({ metadata: { a: half } }), "INVALID_METADATA", "metadata.a"],
    ["half a surrogate pair as a name", remember({ metadata: { [half]: 1 } }), "INVALID_METADATA", "metadata"],
    ["a fraction of a millisecond", remember({ createdAt: 1.5 }), "INVALID_INSTANT", "createdAt"],
    ["a Date", remember({ validTo: new Date(0) }), "INVALID_INSTANT", "validTo"],
    ["an unknown scope", remember({ scope: "planet:earth" }), "INVALID_SCOPE", "scope"],
    [
      "a position that is a fraction",
      remember({ provenance: { sourceId: "a", kind: "adr", position: 0.5 } }),
      "INVALID_NUMBER",
      "provenance.position",
    ],
    [
      "a misspelt field of the provenance",
      remember({ provenance: { sourceId: "a", kind: "adr", url: "b" } }),
      "INVALID_REQUEST",
      "provenance.url",
    ],
    ["no scope", recall({ scopes: [] }), "SCOPE_REQUIRED", "scopes"],
    ["a query that is a number", recall({ query: 1 }), "INVALID_TEXT", "query"],
    ["a limit of NaN", recall({ limit: Number.NaN }), "INVALID_NUMBER", "limit"],
    ["a limit that is a fraction", recall({ limit: 1.5 }), "INVALID_NUMBER", "limit"],
    ["a limit beyond 32 bits", recall({ maxTokens: 2 ** 31 }), "INVALID_NUMBER", "maxTokens"],
    ["a limit that is text", recall({ procedureLimit: "5" }), "INVALID_NUMBER", "procedureLimit"],
    ["an empty list of categories", recall({ categories: [] }), "INVALID_CATEGORY", "categories"],
    ["no owner to rotate for", recall({ rotation: { session: "a" } }), "INVALID_IDENTIFIER", "rotation.owner"],
    [
      "a number as a session",
      recall({ rotation: { owner: "a", session: 1 } }),
      "INVALID_IDENTIFIER",
      "rotation.session",
    ],
    [
      "an unknown key",
      recall({ rotation: { owner: "a", session: "a", key: "all" } }),
      "INVALID_REQUEST",
      "rotation.key",
    ],
    ["a misspelt field", recall({ rotation: { owner: "a", sesion: "a" } }), "INVALID_REQUEST", "rotation.sesion"],
    ["a recording that is a boolean", recall({ recordUsage: true }), "INVALID_REQUEST", "recordUsage"],
    ["a Date to know at", recall({ knownAt: new Date(0) }), "INVALID_INSTANT", "knownAt"],
    ["an unknown strategy", recall({ strategy: "all" }), "INVALID_REQUEST", "strategy"],
    ["a setting that does not exist", recall({ profile: { speed: 1 } }), "INVALID_CONFIGURATION", "profile.speed"],
    [
      "a weight that does not exist",
      recall({ profile: { weights: { speed: 1 } } }),
      "INVALID_CONFIGURATION",
      "profile.weights.speed",
    ],
    [
      "a weight that is text",
      recall({ profile: { weights: { recency: "1" } } }),
      "INVALID_CONFIGURATION",
      "profile.weights.recency",
    ],
    ["explain as text", recall({ explain: "yes" }), "INVALID_REQUEST", "explain"],
    [
      "a filter that contains itself",
      () => {
        const filter = { and: [] as unknown[] };
        filter.and.push(filter);
        return recall({ where: filter })();
      },
      "INVALID_FILTER",
      `where${".and[0]".repeat(16)}`,
    ],
    ["an empty page token", list({ pageToken: "" }), "INVALID_PAGE_TOKEN", "pageToken"],
    ["a page size that is a fraction", list({ pageSize: 0.5 }), "INVALID_NUMBER", "pageSize"],
    ["a patch with a misspelt field", update({ tag: [] }), "INVALID_REQUEST", "patch.tag"],
    ["a text that is removed", update({ text: null }), "INVALID_TEXT", "text"],
    ["an importance that is removed", update({ importance: null }), "INVALID_NUMBER", "importance"],
    ["messages that are an object", assemble({ messages: {} }), "INVALID_MESSAGES", "messages"],
    ["an unknown role", assemble({ messages: [{ role: "robot" }] }), "INVALID_MESSAGES", "messages[0].role"],
    [
      "content that is a number",
      assemble({ messages: [{ role: "user", content: 1 }] }),
      "INVALID_MESSAGES",
      "messages[0].content",
    ],
    [
      "a part of an unknown type",
      assemble({ messages: [{ role: "user", content: [{ type: "audio" }] }] }),
      "INVALID_MESSAGES",
      "messages[0].content[0]",
    ],
    [
      "a tool call without its function",
      assemble({ messages: [{ role: "assistant", tool_calls: [{ id: "1", type: "function" }] }] }),
      "INVALID_MESSAGES",
      "messages[0].tool_calls[0]",
    ],
    [
      "a section's budget of NaN",
      assemble({ window: { sections: { task: Number.NaN } } }),
      "INVALID_BUDGET",
      "window.sections.task",
    ],
    ["a window that is a fraction", assemble({ window: { scaleTo: 0.1 } }), "INVALID_BUDGET", "window.scaleTo"],
    ["a layout that is a number", assemble({ layout: 3 }), "INVALID_LAYOUT", "layout"],
    ["a misspelt field of a layout", assemble({ layout: { nam: "mine" } }), "INVALID_REQUEST", "layout.nam"],
    ["a layout without sections", assemble({ layout: { name: "mine" } }), "INVALID_LAYOUT", "layout.sections"],
    [
      "a section whose maximum is a fraction",
      assemble({
        layout: { name: "mine", sections: [{ name: "a", source: "task", shortening: "never", max: 0.5 }] },
      }),
      "INVALID_LAYOUT",
      "layout.sections[0].max",
    ],
    [
      "a rank for one profile only",
      assemble({
        layout: { name: "mine", sections: [{ name: "a", source: "task", shortening: "never", rank: { rag: 1 } }] },
      }),
      "INVALID_LAYOUT",
      "layout.sections[0].rank.conversation",
    ],
    ["files that are a list", assemble({ files: { files: ["a"] } }), "INVALID_REQUEST", "files.files"],
    ["a file that is a number", assemble({ files: { files: { a: 1 } } }), "INVALID_TEXT", 'files.files["a"]'],
    ["a day that is a number", assemble({ files: { days: [{ date: 1 }] } }), "INVALID_TEXT", "files.days[0].date"],
    ["turns that are a fraction", assemble({ history: { lastTurns: 0.5 } }), "INVALID_BUDGET", "history.lastTurns"],
    ["a misspelt field of the history", assemble({ history: { turns: 1 } }), "INVALID_REQUEST", "history.turns"],
    ["a misspelt field of the recall", assemble({ recall: { scope: [] } }), "INVALID_REQUEST", "recall.scope"],
    ["a recall without scopes", assemble({ recall: {} }), "SCOPE_REQUIRED", "recall.scopes"],
    ["tokens that are a fraction", budget({ systemTokens: 0.5 }), "INVALID_BUDGET", "systemTokens"],
    ["a margin that is text", budget({ safetyMarginRatio: "0.1" }), "INVALID_BUDGET", "safetyMarginRatio"],
    ["messages to trim that are text", trim({ messages: "Hi." }), "INVALID_MESSAGES", "messages"],
    ["a maximum beyond 32 bits", trim({ maxTokens: 2 ** 31 }), "INVALID_BUDGET", "maxTokens"],
    ["tools that are an object", trim({ tools: {} }), "INVALID_REQUEST", "tools"],
    ["a tool without its function", trim({ tools: [{ type: "function" }] }), "INVALID_REQUEST", "tools[0]"],
    ["a tool without a name", trim({ tools: [{ function: {} }] }), "INVALID_TEXT", "tools[0].function.name"],
    [
      "a schema that is a list",
      trim({ tools: [{ function: { name: "add", parameters: [] } }] }),
      "INVALID_REQUEST",
      "tools[0].function.parameters",
    ],
    [
      "a schema that is no JSON",
      trim({ tools: [{ function: { name: "add", parameters: { least: 1n } } }] }),
      "INVALID_REQUEST",
      "tools[0].function.parameters",
    ],
    ["a misspelt limit", enforce({ maxInputToken: 1 }), "INVALID_REQUEST", "request.maxInputToken"],
    ["a function to summarise with", enforce({ summarize: () => "" }), "UNSUPPORTED_OPERATION", "summarize"],
    ["an unknown action", enforce({ onExceed: "PANIC" }), "INVALID_REQUEST", "onExceed"],
    ["half a surrogate pair in a session", enforce({ session: half }), "INVALID_IDENTIFIER", "session"],
    ["used tokens that are a fraction", record({ inputTokens: 0.5 }), "INVALID_BUDGET", "inputTokens"],
    ["used tokens beyond 2^53", record({ cachedInputTokens: 2 ** 53 }), "INVALID_BUDGET", "cachedInputTokens"],
    ["a model that is null", record({ model: null }), "INVALID_TEXT", "model"],
    [
      "a session that is a number",
      () => api.usageTotalsRequest.toProto({ session: 1 as never }),
      "INVALID_IDENTIFIER",
      "session",
    ],
    ["a request that is no object", () => api.tokenCountRequest.toProto("text" as never), "INVALID_REQUEST", "request"],
  ])("%s", (_, run, reason, field) => {
    expect(errorOf(run)).toMatchObject({ reason, field });
  });
});

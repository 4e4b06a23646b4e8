// Agents whose tools give more than a window holds. What was before a long result must stay, with its beginning and its end, in every
// form that a chat API takes, and whether the turns are given or kept.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AssembledContext,
  type ChatMessage,
  type LocalLoci,
  openLoci,
  toAiSdk,
  toAnthropic,
  type TurnInput,
} from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Agent,
  type AiSdkReply,
  type AnthropicReply,
  answerWithAiSdk,
  answerWithAnthropic,
  answerWithOpenAi,
  type OpenAiChunk,
} from "../../../docs/examples/agent-loop.ts";

let folder: string;
let loci: LocalLoci;
const open = (): Promise<LocalLoci> =>
  openLoci({ tenant: "acme", dataDirectory: join(folder, "data"), index: "memory" });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-long-results-"));
  loci = await open();
});
afterAll(async () => {
  await loci.close();
  await rm(folder, { recursive: true });
});

const toolCall = (id: string, name: string, input: object): ChatMessage => ({
  role: "assistant",
  content: "",
  tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(input) } }],
});
const step = (number: number, name: string, result: string): readonly ChatMessage[] => [
  toolCall(`call-${number}`, name, { step: number }),
  { role: "tool", tool_call_id: `call-${number}`, content: result },
];

/** Some 30,000 tokens, of which the first and the last line matter. */
function logOf(name: string, lines = 2_300): string {
  const middle = Array.from({ length: lines }, (_, line) => `[${line}] compiled module ${line * 7} in 12 ms`);
  return [`log of ${name} begins`, ...middle, `log of ${name} ends: 3 tests failed`].join("\n");
}

/** A run with a long log in its middle. */
const run: readonly ChatMessage[] = [
  { role: "user", content: "The build of the shop is red. Find out why, and mend it." },
  ...Array.from({ length: 6 }, (_, number) => step(number, "read_file", `file ${number} has 40 lines`)).flat(),
  ...step(6, "run_build", logOf("the build")),
  ...Array.from({ length: 5 }, (_, place) => step(7 + place, "edit_file", `edited file ${7 + place}`)).flat(),
  { role: "assistant", content: "The total was rounded twice." },
  { role: "user", content: "And in the invoices?" },
];
const window = { maxTokens: 20_000 };
/** Of a known model what is given is cut only where the model has no room for it. */
const model = "gpt-4o";
const evaluationTime = 0;

describe("a long result in the middle of a run", () => {
  test("is shortened, and everything else stays as it was said", async () => {
    const { messages, receipt, warnings, usage } = await loci.assemble({ messages: run, window, evaluationTime });
    expect(usage.messagesTokens).toBeLessThanOrEqual(usage.budgetTokens);
    const shown = messages.filter(({ role }) => role !== "system");
    expect(shown).toHaveLength(run.length);
    const at = run.findIndex(({ content }) => typeof content === "string" && content.startsWith("log of"));
    expect(shown.toSpliced(at, 1)).toEqual(run.toSpliced(at, 1));
    const log = shown[at]?.content;
    expect(log).toMatch(
      /^log of the build begins\n[^]*\n\[\d+ of \d+ characters of this result are left out here\]\n[^]*\nlog of the build ends: 3 tests failed$/,
    );
    expect(shown[at]).toMatchObject({ role: "tool", tool_call_id: "call-6" });
    const items = receipt.items.filter(
      ({ kind, reason }) => kind === "message" && reason !== undefined && reason !== "REPEATS_QUERY",
    );
    expect(items).toMatchObject([{ id: `message:${at}`, outcome: "shortened", reason: "SECTION_FULL" }]);
    expect(items[0]?.wholeTokens).toBeGreaterThan(20_000);
    // Twice as much of it would not fit.
    const shownTokens = items[0]?.tokens ?? 0;
    expect(usage.messagesTokens + shownTokens).toBeGreaterThan((13 / 16) * usage.budgetTokens);
    expect(warnings.filter(({ reason }) => reason === "TEXT_SHORTENED")).toMatchObject([
      { section: "history", message: expect.stringContaining("A long result of a tool is shown") as string },
    ]);
  });

  test("pairs with its call in the forms of Anthropic and of the AI SDK", async () => {
    const context = await loci.assemble({ messages: run, window, evaluationTime });
    const blocks = toAnthropic(context).messages.flatMap(({ content }) => content);
    const uses = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    expect(uses).toHaveLength(12);
    expect(blocks.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []))).toEqual(uses);
    const parts = toAiSdk(context).messages.flatMap(({ content }) => [...content]);
    expect(parts.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []))).toEqual(uses);
    expect(parts.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : []))).toEqual(uses);
  });

  test("is whole while it is the newest, and in a window that holds it", async () => {
    const end = run.findIndex(({ content }) => typeof content === "string" && content.startsWith("log of")) + 1;
    const newest = await loci.assemble({ messages: run.slice(0, end), model, evaluationTime });
    expect(newest.messages.at(-1)).toEqual(run[end - 1]);
    const large = await loci.assemble({ messages: run, model, evaluationTime });
    expect(large.messages.slice(-run.length)).toEqual(run);
  });

  test("is the same bytes from turn to turn, and so is all that was before it", async () => {
    const longer = [...run, ...step(20, "read_file", "invoices.ts has 300 lines"), ...step(21, "read_file", "nothing")];
    const first = await loci.assemble({ messages: run, window, evaluationTime });
    const second = await loci.assemble({ messages: longer, window, evaluationTime });
    expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages);
  });
});

describe("a session", () => {
  const bytesOf = ({ text, messages, sections, receipt, usage }: AssembledContext): string =>
    JSON.stringify([text, messages, sections, receipt, usage]);
  const turnOf = ({ role, content, tool_calls: toolCalls, tool_call_id: toolCallId }: ChatMessage): TurnInput => ({
    role,
    content: typeof content === "string" ? content : "",
    at: evaluationTime,
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
  });
  const messageOf = (turn: TurnInput): ChatMessage => ({
    role: turn.role,
    content: turn.content,
    ...(turn.toolCalls === undefined ? {} : { tool_calls: turn.toolCalls }),
    ...(turn.toolCallId === undefined ? {} : { tool_call_id: turn.toolCallId }),
  });

  test("that is appended to gives the context of its messages, in each turn", async () => {
    const key = { scope: "user:ann", id: "build" } as const;
    await loci.sessions.create({ ...key, capture: "off", keepSecrets: true });
    const turns = run.map(turnOf);
    let shortened = 0;
    for (let last = 0; last < turns.length;) {
      const call = turns[last];
      const next = turns.slice(last, last + (call?.toolCalls === undefined ? 1 : 2));
      const request = { model, history: { maxTokens: 31_400 }, evaluationTime };
      const { context } = await loci.sessions.appendAndAssemble(key, { expectedLast: last, turns: next }, request);
      last += next.length;
      const messages = turns.slice(0, last).map(messageOf);
      expect(bytesOf(context)).toBe(bytesOf(await loci.assemble({ ...request, messages })));
      shortened += context.receipt.items.filter(({ outcome }) => outcome === "shortened").length;
    }
    expect(shortened).toBeGreaterThan(3);
  });

  test("of many long results gives it also where another process reads only its end", async () => {
    const key = { scope: "user:ann", id: "many-builds" } as const;
    await loci.sessions.create({ ...key, capture: "off", keepSecrets: true });
    const said = Array.from({ length: 235 }, (_, number): readonly ChatMessage[] => [
      { role: "user", content: `Look at build ${number}.` },
      ...step(number, "run_build", logOf(`build ${number}`, 500)),
    ]).flat();
    const turns = [...said, { role: "user", content: "And now?" } as const].map(turnOf);
    for (let last = 0; last < turns.length; last += 90)
      await loci.sessions.append(key, { expectedLast: last, turns: turns.slice(last, last + 90) });
    const request = { model, evaluationTime };
    const whole = await loci.assemble({ ...request, messages: turns.map(messageOf) });
    expect(whole.receipt.items.filter(({ outcome }) => outcome === "shortened").length).toBeGreaterThan(15);
    expect(bytesOf(await loci.assemble({ ...request, session: key }))).toBe(bytesOf(whole));
    await loci.settled();
    await loci.close();
    loci = await open();
    expect(bytesOf(await loci.assemble({ ...request, session: key }))).toBe(bytesOf(whole));
  });
});

describe("an agent loop whose tools give more than the model's window", () => {
  const question = "Why are the builds red?";
  const answer = "A module is missing.";
  const builds = ["shop", "search", "mail", "stock", "login", "tax", "print", "export", "chat", "admin"] as const;

  /** A model that goes by what it sees: the next build to look at, none once it has beginning and end of each log in order. */
  function nextBuild(texts: readonly string[]): string | undefined {
    const asked = texts.findLastIndex((text) => text.includes(question));
    expect(asked).toBeGreaterThanOrEqual(0);
    const logs = texts.slice(asked + 1).filter((text) => text.startsWith("log of "));
    return builds.find((build, index) => {
      const log = logs[index] ?? "";
      return !log.startsWith(`log of ${build} begins`) || !log.endsWith(`log of ${build} ends: 3 tests failed`);
    });
  }

  function agentOf(ran: string[]): Agent {
    return {
      loci,
      messages: [{ role: "user", content: question }],
      run: async (_, input) => {
        const { build } = input as { readonly build: string };
        ran.push(build);
        if (ran.length > builds.length) throw new Error("The model calls its tools again and again.");
        return logOf(build);
      },
      show: () => {},
    };
  }

  test("with OpenAI's library", async () => {
    const ran: string[] = [];
    const answered = await answerWithOpenAi(agentOf(ran), async ([, ...turns]) => {
      const build = nextBuild(turns.map(({ content }) => (typeof content === "string" ? content : "")));
      const call = {
        index: 0,
        id: `c-${build}`,
        function: { name: "run_build", arguments: JSON.stringify({ build }) },
      };
      const delta = build === undefined ? { content: answer } : { tool_calls: [call] };
      return (async function* (): AsyncIterable<OpenAiChunk> {
        yield { choices: [{ delta }] };
      })();
    });
    expect(answered).toBe(answer);
    expect(ran).toEqual(builds);
  });

  test("with Anthropic's library", async () => {
    const ran: string[] = [];
    const answered = await answerWithAnthropic(agentOf(ran), ({ messages }): AnthropicReply => {
      const build = nextBuild(
        messages.flatMap(({ content }) =>
          content.map((block) => {
            if (block.type === "text") return block.text;
            const [first] = block.type === "tool_result" ? (block.content ?? []) : [];
            return first?.type === "text" ? first.text : "";
          }),
        ),
      );
      const finalMessage: AnthropicReply["finalMessage"] = async () => ({
        content:
          build === undefined
            ? [{ type: "text", text: answer }]
            : [{ type: "tool_use", id: `use-${build}`, name: "run_build", input: { build } }],
      });
      return Object.assign((async function* () {})(), { finalMessage });
    });
    expect(answered).toBe(answer);
    expect(ran).toEqual(builds);
  });

  test("with the AI SDK", async () => {
    const ran: string[] = [];
    const answered = await answerWithAiSdk(agentOf(ran), ({ messages }): AiSdkReply => {
      const build = nextBuild(
        messages.flatMap(({ content }) =>
          content.map((part) => {
            if (part.type === "text") return part.text;
            return part.type === "tool-result" ? part.output.value : "";
          }),
        ),
      );
      const calls = build === undefined ? [] : [{ toolCallId: `c-${build}`, toolName: "run_build", input: { build } }];
      return {
        textStream: (async function* () {
          if (build === undefined) yield answer;
        })(),
        toolCalls: Promise.resolve(calls),
      };
    });
    expect(answered).toBe(answer);
    expect(ran).toEqual(builds);
  });
});

// The loops of `docs/guides/agent-loop.md`, with models that answer only when they see their question and then their
// tools' results, in order; until then they call the next tool.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChatMessage, type Loci, openLoci } from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Agent,
  type AiSdkReply,
  type AnthropicReply,
  answerWithAiSdk,
  answerWithAnthropic,
  answerWithOpenAi,
  ask,
  type OpenAiChunk,
} from "../../../docs/examples/agent-loop.ts";

const question = "Which city is warmer today?";
const cities = ["Oslo", "Rome", "Bern"] as const;
const answer = "Rome.";

let dataDirectory: string;
let loci: Loci;
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "loci-agent-"));
  loci = await openLoci({ tenant: "acme", dataDirectory });
  await loci.memories.remember({ text: "Ann prefers degrees Celsius.", category: "preference", scope: "user:ann" });
  await loci.memories.rememberMany(
    cities.map((city) => ({ text: `The city of ${city} was warm last year.`, scope: "user:ann" as const })),
  );
});
afterAll(async () => {
  await loci.close();
  await rm(dataDirectory, { recursive: true });
});

interface Turn {
  readonly city: string | undefined;
}

/** A model that goes by what it sees: the next city to ask about, none once it has all results. */
function nextTurn(texts: readonly string[]): Turn {
  const asked = texts.findLastIndex((text) => text.includes(question));
  if (asked === -1) return { city: cities[0] };
  expect(texts.filter((text) => text.includes(question))).toHaveLength(1);
  const results = texts.slice(asked + 1).filter((text) => text.endsWith("degrees"));
  const inOrder = cities.findIndex((city, index) => results[index]?.startsWith(city) !== true);
  return { city: inOrder === -1 ? undefined : cities[inOrder] };
}

interface Loop {
  readonly agent: Agent;
  readonly shown: string[];
  readonly ran: string[];
  /** What each call was sent besides the turns. */
  readonly systems: string[];
}

function loopOf(): Loop {
  const shown: string[] = [];
  const ran: string[] = [];
  const messages: ChatMessage[] = [
    { role: "user", content: "Hello." },
    { role: "assistant", content: "Hello, Ann." },
    { role: "user", content: question },
  ];
  const run = async (name: string, input: unknown): Promise<string> => {
    const { city } = input as { readonly city: string };
    ran.push(`${name} ${city}`);
    if (ran.length > 5) throw new Error("The model calls its tools again and again.");
    return `${city}: ${city.length} degrees`;
  };
  return { agent: { loci, messages, run, show: (piece) => shown.push(piece) }, shown, ran, systems: [] };
}

function expectAnswered({ agent, shown, ran, systems }: Loop): void {
  expect(shown.join("")).toBe(answer);
  expect(ran).toEqual(cities.map((city) => `weather ${city}`));
  expect(agent.messages).toHaveLength(3 + 2 * cities.length + 1);
  expect(systems).toHaveLength(cities.length + 1);
  // The later calls of a turn are shown the same bytes, so that a prompt cache holds them.
  expect(new Set(systems).size).toBe(1);
  expect(systems[0]).toContain("degrees Celsius");
  expect(systems[0]).toContain("city of Rome");
}

async function* inPieces<Piece>(...pieces: readonly Piece[]): AsyncIterable<Piece> {
  yield* pieces;
}

describe("an agent loop", () => {
  test("with OpenAI's library", async () => {
    const loop = loopOf();
    const answered = await answerWithOpenAi(loop.agent, async ([system, ...turns]) => {
      loop.systems.push(JSON.stringify(system));
      const { city } = nextTurn(turns.map(({ content }) => (typeof content === "string" ? content : "")));
      const chunk = (delta: OpenAiChunk["choices"][number]["delta"]): OpenAiChunk => ({ choices: [{ delta }] });
      if (city === undefined) return inPieces(chunk({ content: "Ro" }), chunk({ content: "me." }));
      const call = { index: 0, id: `call-${city}`, function: { name: "weather", arguments: '{"city":' } };
      const rest = { index: 0, function: { arguments: `"${city}"}` } };
      return inPieces(chunk({ tool_calls: [call] }), chunk({ tool_calls: [rest] }));
    });
    expect(answered).toBe(answer);
    expectAnswered(loop);
  });

  test("with Anthropic's library", async () => {
    const loop = loopOf();
    const answered = await answerWithAnthropic(loop.agent, ({ system, messages }): AnthropicReply => {
      loop.systems.push(JSON.stringify(system));
      const blocks = messages.flatMap(({ content }) => content);
      const { city } = nextTurn(
        blocks.map((block) => {
          if (block.type === "text") return block.text;
          const [first] = block.type === "tool_result" ? (block.content ?? []) : [];
          return first?.type === "text" ? first.text : "";
        }),
      );
      const pieces = city === undefined ? ["Ro", "me."] : [];
      const events = pieces.map((text) => ({
        type: "content_block_delta",
        delta: { type: "text_delta", text },
      }));
      const finalMessage: AnthropicReply["finalMessage"] = async () => ({
        content:
          city === undefined
            ? [{ type: "text", text: answer }]
            : [{ type: "tool_use", id: `use-${city}`, name: "weather", input: { city } }],
      });
      return Object.assign(inPieces(...events), { finalMessage });
    });
    expect(answered).toBe(answer);
    expectAnswered(loop);
  });

  test("with the AI SDK", async () => {
    const loop = loopOf();
    const answered = await answerWithAiSdk(loop.agent, ({ system, messages }): AiSdkReply => {
      loop.systems.push(JSON.stringify(system));
      const { city } = nextTurn(
        messages.flatMap(({ content }) =>
          content.map((part) => {
            if (part.type === "text") return part.text;
            return part.type === "tool-result" ? part.output.value : "";
          }),
        ),
      );
      const calls = city === undefined ? [] : [{ toolCallId: `c-${city}`, toolName: "weather", input: { city } }];
      return {
        textStream: city === undefined ? inPieces("Ro", "me.") : inPieces(),
        toolCalls: Promise.resolve(calls),
      };
    });
    expect(answered).toBe(answer);
    expectAnswered(loop);
  });

  test("remembers what was said, and recalls it when the conversation is gone", async () => {
    const { agent } = loopOf();
    agent.messages.length = 0;
    const says = async ({ messages }: Agent): Promise<string> => {
      messages.push({ role: "assistant", content: "Noted." });
      return "Noted.";
    };
    expect(await ask(agent, "Remember that the ferry to Tórshavn leaves at seven.", says)).toBe("Noted.");
    expect(agent.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    const messages: ChatMessage[] = [{ role: "user", content: "When does the ferry to Tórshavn leave?" }];
    const recall = { scopes: ["user:ann"] } as const;
    expect((await loci.assemble({ messages, recall })).text).toContain("leaves at seven.");
    const running = await loci.assemble({ messages: [...agent.messages, ...messages], recall });
    expect(running.text.match(/leaves at seven/g)).toHaveLength(1);
  });

  test("runs a tool that takes nothing, and ends where a model never answers", async () => {
    const inputs: unknown[] = [];
    const { agent } = loopOf();
    const run = async (_: string, input: unknown): Promise<string> => {
      inputs.push(input);
      return "now";
    };
    const call = { index: 0, id: "c", function: { name: "clock" } };
    const stream = async (): Promise<AsyncIterable<OpenAiChunk>> =>
      inPieces({ choices: [{ delta: { tool_calls: [{ ...call, id: `c${inputs.length}` }] } }] });
    await expect(answerWithOpenAi({ ...agent, run }, stream)).rejects.toThrow("no answer after 20 calls");
    expect(inputs).toEqual(Array.from({ length: 20 }, () => ({})));
  });

  test("the guide shows what is run here", async () => {
    const root = join(import.meta.dirname, "../../..");
    const guide = await readFile(join(root, "docs/guides/agent-loop.md"), "utf8");
    const example = await readFile(join(root, "docs/examples/agent-loop.ts"), "utf8");
    const blocks = Array.from(guide.matchAll(/```ts\n([^]*?)```/g), ([, code]) => code ?? "");
    expect(blocks.length).toBeGreaterThanOrEqual(3);
    for (const code of blocks) expect(example).toContain(code);
  });
});

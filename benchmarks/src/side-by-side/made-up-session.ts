import type { ChatMessage } from "@loci/domain";
import { prose } from "../data/prose.ts";
import type { GivenConversation } from "./context-step.ts";

const kinds = ["question", "tools", "code", "japanese"] as const;

/**
 * A session of an agent with everything that makes trimming hard: two tools called at once, a long result, code, Japanese,
 * text that looks like a special token. The same for the same number of turns.
 */
export function madeUpSession(turns: number): GivenConversation {
  const system: ChatMessage = {
    role: "system",
    content: `You look after the deploys of a small company. ${prose(turns, 12)}`,
  };
  const said = Array.from({ length: turns }, (_, turn) => exchange(turn)).flat();
  const question: ChatMessage = { role: "user", content: `Where were we? ${prose(turns + 1, 2)}` };
  return { name: `made-up-${turns}`, isReal: false, messages: [system, ...said, question] };
}

function exchange(turn: number): readonly ChatMessage[] {
  const question: ChatMessage = { role: "user", content: `${turn}. ${prose(turn, 2)}` };
  const answer: ChatMessage = { role: "assistant", content: prose(turn + 1000, 3) };
  switch (kinds[turn % kinds.length]) {
    case "tools":
      return [question, ...toolCalls(turn), answer];
    case "code":
      return [
        question,
        { role: "assistant", content: `\`\`\`ts\n${code(turn)}\n\`\`\`\n<|endoftext|> ends the file.` },
      ];
    case "japanese":
      return [
        { role: "user", content: `${turn}回目のデプロイはどうなりましたか。` },
        { role: "assistant", content: "キャッシュを消してから、もう一度試してください。👩🏽‍⚕️".repeat(3) },
      ];
    default:
      return [question, answer];
  }
}

function toolCalls(turn: number): readonly ChatMessage[] {
  const [log, status] = [`call_${turn}_log`, `call_${turn}_status`];
  return [
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: log, type: "function", function: { name: "read_log", arguments: `{"deploy": ${turn}, "lines": 40}` } },
        { id: status, type: "function", function: { name: "deploy_status", arguments: `{"deploy": ${turn}}` } },
      ],
    },
    { role: "tool", tool_call_id: log, content: prose(turn + 2000, 15) },
    { role: "tool", tool_call_id: status, content: `{"deploy": ${turn}, "state": "failed", "after": ${turn * 7}}` },
  ];
}

function code(turn: number): string {
  return Array.from(
    { length: 6 },
    (_, line) => `export const step${line} = (input: Array<string>): number => input.length * ${turn + line};`,
  ).join("\n");
}

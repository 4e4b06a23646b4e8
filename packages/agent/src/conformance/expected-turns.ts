import type { TurnInput } from "@loci/domain";
import type { ShownMessage } from "./shown-call.ts";
import type { ToldMessage, ToldQuestion, ToldStep } from "./told-conversation.ts";

/** The texts of a message, with a word for an image. */
export function partsOf(message: ToldMessage): readonly string[] {
  return typeof message === "string" ? [message] : message;
}

/** What the steps of a run add to the messages of a chat. */
export function messagesOfSteps(steps: readonly ToldStep[]): readonly ShownMessage[] {
  return steps.flatMap(({ says = "", calls = [] }): ShownMessage[] => [
    {
      role: "assistant",
      text: says,
      ...(calls.length === 0 ? {} : { calls: calls.map(({ id, tool, input }) => ({ id, tool, input })) }),
    },
    ...calls.map(({ id, returns }): ShownMessage => ({ role: "tool", text: returns, answers: id })),
  ]);
}

/** What the user adds to them. */
export function messagesOfUser({ after = [], asks }: ToldQuestion): readonly ShownMessage[] {
  return [...after, asks].map((message) => ({ role: "user", text: partsOf(message).join("") }));
}

/** A turn, as far as all adapters keep the same. */
export type KeptTurn = Pick<TurnInput, "role" | "content" | "toolCallId"> & {
  readonly recalled: boolean;
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: unknown }[];
};

const toolsThatRecall: ReadonlySet<string> = new Set(["recall", "view_blocks"]);

/** What is kept of a question that was answered. */
export function keptTurnsOf({ after = [], asks, keepsAsked, steps }: ToldQuestion): readonly KeptTurn[] {
  const said = [...after.map(textOf), keepsAsked ?? textOf(asks)];
  return [
    ...said.map((content) => turn({ role: "user", content })),
    ...steps.flatMap(({ says = "", calls = [] }) => [
      turn({ role: "assistant", content: says, calls: calls.map(({ id, tool, input }) => ({ id, tool, input })) }),
      ...calls.map(({ id, tool, returns }) =>
        turn({ role: "tool", content: returns, toolCallId: id, recalled: toolsThatRecall.has(tool) }),
      ),
    ]),
  ];
}

/** A turn of a session in the same form. */
export function keptTurn({ role, content, toolCallId, toolCalls = [], recalled = false }: TurnInput): KeptTurn {
  const calls = toolCalls.map(({ id, function: called }) => ({
    id,
    tool: called.name,
    input: JSON.parse(called.arguments) as unknown,
  }));
  return turn({ role, content, recalled, calls, ...(toolCallId === undefined ? {} : { toolCallId }) });
}

function turn(given: Pick<KeptTurn, "role" | "content"> & Partial<KeptTurn>): KeptTurn {
  return { recalled: false, calls: [], ...given };
}

function textOf(message: ToldMessage): string {
  return partsOf(message).join("\n");
}

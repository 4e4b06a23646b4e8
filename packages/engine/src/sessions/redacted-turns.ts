import { defaultPolicies, detect, type DetectionPolicies, redacted } from "@loci/core";
import type { ToolCall, TurnInput } from "@loci/domain";
import { TextPace } from "../calls/text-pace.ts";

/** Turns keep ways to reach a person: only what is learned from them does without. */
const turnPolicies: DetectionPolicies = { ...defaultPolicies, email: "allow", phone: "allow" };

/**
 * The turns with each secret as `[redacted: card]`. Equal turns stay equal, so that a repeated call is recognised.
 *
 * @param turn resolves when the thread may be used again: to look through much text takes a while
 */
export async function redactedTurns(
  turns: readonly TurnInput[],
  turn: () => Promise<void> | undefined,
): Promise<readonly TurnInput[]> {
  const pace = new TextPace(turn);
  const clean: TurnInput[] = [];
  for (const given of turns) {
    const { content, name, toolCalls } = given;
    if (pace.isDue(content)) await pace.rest();
    clean.push({
      ...given,
      content: withoutSecrets(content),
      ...(name === undefined ? {} : { name: withoutSecrets(name) }),
      ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map(callWithoutSecrets) }),
    });
  }
  return clean;
}

function callWithoutSecrets(call: ToolCall): ToolCall {
  return { ...call, function: { ...call.function, arguments: withoutSecrets(call.function.arguments) } };
}

function withoutSecrets(text: string): string {
  return redacted(text, detect(text), turnPolicies);
}

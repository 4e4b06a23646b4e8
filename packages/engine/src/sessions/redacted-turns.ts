import { defaultPolicies, detect, detectionSteps, type DetectionPolicies, redacted } from "@loci/core";
import type { ToolCall, TurnInput } from "@loci/domain";
import { takeTurns } from "../calls/take-turns.ts";
import { TextPace } from "../calls/text-pace.ts";

/** Turns keep ways to reach a person: only what is learned from them does without. */
const turnPolicies: DetectionPolicies = { ...defaultPolicies, email: "allow", phone: "allow" };

/** A short text with each secret as `[redacted: card]`. */
export function withoutSecrets(text: string): string {
  return redacted(text, detect(text), turnPolicies);
}

/** To look through shorter texts takes less than others should wait for. */
const shortText = 8_192;

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
  const clean = async (text: string): Promise<string> => {
    if (pace.isDue(text)) await pace.rest();
    const found = text.length <= shortText ? detect(text) : await takeTurns(detectionSteps(text), turn);
    return redacted(text, found, turnPolicies);
  };
  const cleanCall = async (call: ToolCall): Promise<ToolCall> => {
    return { ...call, function: { ...call.function, arguments: await clean(call.function.arguments) } };
  };
  const cleaned: TurnInput[] = [];
  for (const given of turns) {
    const content = await clean(given.content);
    const name = given.name === undefined ? {} : { name: await clean(given.name) };
    const toolCalls: ToolCall[] = [];
    for (const call of given.toolCalls ?? []) toolCalls.push(await cleanCall(call));
    cleaned.push({ ...given, content, ...name, ...(given.toolCalls === undefined ? {} : { toolCalls }) });
  }
  return cleaned;
}

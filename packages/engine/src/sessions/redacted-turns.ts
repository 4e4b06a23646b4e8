import type { DetectionPolicies } from "@loci/core";
import type { ToolCall, TurnInput } from "@loci/domain";
import { secretsRedacted } from "../validation/redact-secrets.ts";

/**
 * The turns with each secret as `[redacted: card]`. Equal turns stay equal, so that a repeated call is recognised.
 *
 * @param turn resolves when the thread may be used again: to look through much text takes a while
 */
export async function redactedTurns(
  turns: readonly TurnInput[],
  policies: DetectionPolicies,
  turn: () => Promise<void> | undefined,
): Promise<readonly TurnInput[]> {
  const clean = secretsRedacted(policies, turn);
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

import {
  checkFields,
  checkList,
  isPlainObject,
  LociError,
  maxToolCallsPerTurn,
  maxTurnBytes,
  maxTurnsPerAppend,
  type MessageRole,
  parseInstant,
  type ToolCall,
  type TurnInput,
  turnInputFields,
  utf8ByteLength,
} from "@loci/domain";

const roles: readonly MessageRole[] = ["system", "developer", "user", "assistant", "tool"];

/**
 * Checks each turn by itself: known fields, text that is well formed, calls of assistants only, ids of results on tools
 * only. Whether a result answers a call is up to the session: see `planAppend`.
 *
 * @throws LociError `INVALID_REQUEST` for other than 1 to 100 turns or an unknown field; `INVALID_MESSAGES` with the path
 *   and the position (`details.turn`, from 0) of what is wrong; `TEXT_TOO_LARGE` for a turn over 256 KiB; `INVALID_INSTANT`
 */
export function checkTurns(turns: readonly TurnInput[]): readonly TurnInput[] {
  checkList(turns, "turns", { least: 1, most: maxTurnsPerAppend });
  for (const [position, turn] of turns.entries()) checkTurn(turn, position);
  return turns;
}

/** @throws LociError as {@link checkTurns} */
function checkTurn(turn: TurnInput, position: number): void {
  const path = `turns[${position}]`;
  checkFields(turn, turnInputFields, path);
  const { role, toolCallId, at, recalled } = turn;
  if (!roles.includes(role)) throw invalidTurn(position, "role", `must be one of ${roles.join(", ")}`);
  let bytes = checkText(turn.content, position, "content");
  if (turn.name !== undefined) bytes += checkText(turn.name, position, "name");
  if (turn.toolCalls !== undefined) bytes += checkToolCalls(turn, position);
  if (role === "tool") bytes += checkName(toolCallId, position, "toolCallId");
  else if (toolCallId !== undefined) throw invalidTurn(position, "toolCallId", "may only stand on a turn of a tool");
  if (at !== undefined) parseInstant(at, `${path}.at`);
  if (recalled !== undefined && typeof recalled !== "boolean")
    throw invalidTurn(position, "recalled", "must be true or false");
  if (bytes <= maxTurnBytes) return;
  throw new LociError("TEXT_TOO_LARGE", {
    message: `${path} has ${bytes} bytes, but at most ${maxTurnBytes} are kept.`,
    field: path,
    advice: "Shorten the turn, or keep the text elsewhere and say where.",
    details: { turn: String(position), maxBytes: String(maxTurnBytes) },
  });
}

/** Returns their bytes. */
function checkToolCalls({ role, toolCalls }: TurnInput, position: number): number {
  if (role !== "assistant") throw invalidTurn(position, "toolCalls", "may only stand on a turn of the assistant");
  const calls: unknown = toolCalls;
  if (!Array.isArray(calls)) throw invalidTurn(position, "toolCalls", "must be a list");
  if (calls.length > maxToolCallsPerTurn)
    throw invalidTurn(position, "toolCalls", `has ${calls.length} calls, more than ${maxToolCallsPerTurn}`);
  const ids = new Set<string>();
  let bytes = 0;
  for (const [index, call] of (calls as readonly Partial<ToolCall>[]).entries()) {
    const at = `toolCalls[${index}]`;
    const called = isPlainObject(call) && call.type === "function" ? call.function : undefined;
    if (!isPlainObject(called))
      throw invalidTurn(position, at, 'must be { id, type: "function", function: { name, arguments } }');
    bytes += checkName(call.id, position, `${at}.id`) + checkName(called.name, position, `${at}.function.name`);
    bytes += checkText(called.arguments, position, `${at}.function.arguments`);
    if (ids.has(call.id as string)) throw invalidTurn(position, `${at}.id`, "is the id of another call of this turn");
    ids.add(call.id as string);
  }
  return bytes;
}

function checkName(value: unknown, position: number, field: string): number {
  const bytes = checkText(value, position, field);
  if (bytes === 0) throw invalidTurn(position, field, "is empty");
  return bytes;
}

/** Returns its bytes. */
function checkText(value: unknown, position: number, field: string): number {
  if (typeof value !== "string") throw invalidTurn(position, field, "must be text");
  if (!value.isWellFormed()) throw invalidTurn(position, field, "holds half of a surrogate pair");
  return utf8ByteLength(value);
}

/** @param position of the turn among those given, from 0 */
export function invalidTurn(position: number, field: string, problem: string): LociError {
  const path = `turns[${position}].${field}`;
  return new LociError("INVALID_MESSAGES", {
    message: `${path} ${problem}.`,
    field: path,
    advice: "Pass turns oldest first, each result of a tool behind the turn that called it. None was appended.",
    details: { turn: String(position) },
  });
}

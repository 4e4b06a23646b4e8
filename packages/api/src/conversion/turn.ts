import {
  type AppendedTurns,
  type AppendTurnsRequest,
  checkFields,
  isPlainObject,
  type ListTurnsRequest,
  type ListTurnsResult,
  LociError,
  type ToolCall,
  type Turn,
  type TurnInput,
  turnInputFields,
  type TurnOrder,
} from "@loci/domain";
import type { ToolCall as ProtoToolCall } from "../gen/loci/v1/context.ts";
import { type Turn as ProtoTurn, TurnOrder as ProtoTurnOrder } from "../gen/loci/v1/session.ts";
import type {
  AppendTurnsRequest as ProtoAppendTurnsRequest,
  AppendTurnsResponse,
  ListTurnsRequest as ProtoListTurnsRequest,
  ListTurnsResponse,
} from "../gen/loci/v1/session_service.ts";
import { chatRoles } from "./chat-message.ts";
import { Enumeration } from "./enumeration.ts";
import { instantFromProto, optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { optionalPageTokenToProto, pageTokenFromProto } from "./page-token.ts";
import { nonEmptyList, withoutUndefined } from "./read-value.ts";
import { field, type Form, listOf, optionalWord, RequestForm, sameField } from "./request-form.ts";
import { optionally, optionalWritableInt32, writableInt32, writableList, writableText } from "./writable-value.ts";

const orders = new Enumeration<TurnOrder, ProtoTurnOrder>({
  oldestFirst: ProtoTurnOrder.OLDEST_FIRST,
  newestFirst: ProtoTurnOrder.NEWEST_FIRST,
});

export const turnInputs: Form<readonly TurnInput[], ProtoTurn[]> = listOf({
  write: turnInputToProto,
  read: turnInputFromProto,
});

export const appendTurns: RequestForm<AppendTurnsRequest, ProtoAppendTurnsRequest, "scope" | "id"> = new RequestForm<
  AppendTurnsRequest,
  ProtoAppendTurnsRequest,
  "scope" | "id"
>("request", {
  expectedLast: sameField("expectedLastTurn", writableInt32),
  turns: field("turns", turnInputs.write, turnInputs.read),
});

export function appendedTurnsFromProto({ firstTurn, lastTurn, replayed }: AppendTurnsResponse): AppendedTurns {
  return { firstTurn, lastTurn, replayed };
}

export const listTurnsRequest: RequestForm<ListTurnsRequest, ProtoListTurnsRequest, "scope" | "id"> = new RequestForm<
  ListTurnsRequest,
  ProtoListTurnsRequest,
  "scope" | "id"
>("request", {
  first: sameField("firstTurn", optionalWritableInt32),
  last: sameField("lastTurn", optionalWritableInt32),
  order: optionalWord("order", orders),
  pageSize: sameField("pageSize", optionalWritableInt32),
  pageToken: field("pageToken", optionalPageTokenToProto, pageTokenFromProto),
});

export function listTurnsResultToProto({ turns, lastTurn, nextPageToken }: ListTurnsResult): ListTurnsResponse {
  return { turns: turns.map(turnToProto), lastTurn, nextPageToken: nextPageToken ?? "" };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function listTurnsResultFromProto({ turns, lastTurn, nextPageToken }: ListTurnsResponse): ListTurnsResult {
  return withoutUndefined<ListTurnsResult>({
    turns: turns.map(turnFromProto),
    lastTurn,
    nextPageToken: pageTokenFromProto(nextPageToken),
  });
}

function turnInputToProto(turn: TurnInput, path: string): ProtoTurn {
  checkFields(turn, turnInputFields, path);
  const { recalled = false } = turn;
  if (typeof recalled !== "boolean") return refuse(`${path}.recalled`, "must be true or false");
  return {
    number: 0,
    role: chatRoles.numberOf(turn.role) ?? refuse(`${path}.role`, `must be one of ${chatRoles.words().join(", ")}`),
    content: turnText(turn.content, `${path}.content`),
    name: optionally(turn.name, `${path}.name`, turnText),
    toolCalls: writableList(turn.toolCalls ?? [], `${path}.toolCalls`, "INVALID_MESSAGES").map((call, at) =>
      toolCallToProto(call, `${path}.toolCalls[${at}]`),
    ),
    toolCallId: optionally(turn.toolCallId, `${path}.toolCallId`, turnText),
    time: optionalInstantToProto(turn.at, `${path}.at`),
    recalled,
  };
}

function turnInputFromProto(turn: ProtoTurn, path: string): TurnInput {
  return withoutUndefined<TurnInput>({
    ...said(turn, path),
    at: optionalInstantFromProto(turn.time, `${path}.at`),
    recalled: turn.recalled ? true : undefined,
  });
}

function turnToProto(turn: Turn, index: number): ProtoTurn {
  const { number, recalled, ...rest } = turn;
  return { ...turnInputToProto(rest, `turns[${index}]`), number, recalled };
}

function turnFromProto(turn: ProtoTurn, index: number): Turn {
  const path = `turns[${index}]`;
  return withoutUndefined<Turn>({
    ...said(turn, path),
    number: turn.number,
    at: instantFromProto(turn.time, `${path}.at`),
    recalled: turn.recalled,
  });
}

function said(turn: ProtoTurn, path: string): Omit<TurnInput, "at" | "recalled"> {
  return {
    role: chatRoles.wordOf(turn.role) ?? refuse(`${path}.role`, `must be one of ${chatRoles.words().join(", ")}`),
    content: turn.content,
    name: turn.name,
    toolCalls: nonEmptyList(turn.toolCalls.map(toolCallFromProto)),
    toolCallId: turn.toolCallId,
  };
}

function toolCallToProto(call: ToolCall, path: string): ProtoToolCall {
  if (!isPlainObject(call) || call.type !== "function" || !isPlainObject(call.function))
    return refuse(path, 'must be { id, type: "function", function: { name, arguments } }');
  return {
    id: turnText(call.id, `${path}.id`),
    name: turnText(call.function.name, `${path}.function.name`),
    arguments: turnText(call.function.arguments, `${path}.function.arguments`),
  };
}

function toolCallFromProto({ id, name, arguments: given }: ProtoToolCall): ToolCall {
  return { id, type: "function", function: { name, arguments: given } };
}

function turnText(text: string, field: string): string {
  return writableText(text, field, "INVALID_MESSAGES");
}

function refuse(field: string, problem: string): never {
  throw new LociError("INVALID_MESSAGES", {
    message: `${field} ${problem}.`,
    field,
    advice: 'Pass turns such as { role: "user", content: "…" }, oldest first.',
  });
}

import {
  type AppendTurnsRequest,
  capturedCategories,
  type CaptureSetting,
  type DailyLogRequest,
  type Etag,
  type JsonValue,
  type KeptSession,
  type KeptTurnState,
  type ListSessionsRequest,
  type ListSessionsResult,
  type ListTurnsRequest,
  type ListTurnsResult,
  type MessageRole,
  type SessionInput,
  type SessionKey,
  type SessionState,
  type ToolCall,
  type Turn,
  type TurnInput,
  turnOrders,
  type TurnState,
} from "@loci/domain";
import fc from "fast-check";
import type { TurnStateNews } from "../../src/index.ts";
import { scope, scopes } from "./memories.ts";
import { identifier, instant, int32, recordOf, text } from "./plain-values.ts";

const capture: fc.Arbitrary<CaptureSetting> = fc.oneof(
  fc.constantFrom("onClose" as const, "off" as const),
  fc.record({ everyTurns: int32 }, { noNullPrototype: true }),
);
const state = fc.constantFrom<SessionState>("open", "closed");
const etag = text.filter((value) => value !== "") as fc.Arbitrary<Etag>;
const token = text.filter((value) => value !== "");
const named = {
  agent: identifier,
  project: identifier,
  title: text,
  captureInstructions: text,
  captureExcept: fc.uniqueArray(fc.constantFrom(...capturedCategories), { minLength: 1 }),
};

export const sessionKey: fc.Arbitrary<SessionKey> = fc.record({ scope, id: identifier }, { noNullPrototype: true });

/** What is false stands for nothing: the wire has one form for both. */
export const sessionInput: fc.Arbitrary<SessionInput> = recordOf<SessionInput>(
  { scope, id: identifier },
  { ...named, capture, rememberTurns: fc.constant(true), keepSecrets: fc.constant(true), createdAt: instant },
);

export const keptSession: fc.Arbitrary<KeptSession> = recordOf<KeptSession>(
  {
    scope,
    id: identifier,
    capture,
    rememberTurns: fc.boolean(),
    keepSecrets: fc.boolean(),
    state,
    lastTurn: int32,
    createdAt: instant,
    updatedAt: instant,
    etag,
  },
  named,
);

export const listSessionsRequest: fc.Arbitrary<ListSessionsRequest> = recordOf<ListSessionsRequest>(
  { scopes },
  { state, pageSize: int32, pageToken: token },
);

export const listSessionsResult: fc.Arbitrary<ListSessionsResult> = recordOf<ListSessionsResult>(
  { sessions: fc.array(keptSession, { maxLength: 3 }) },
  { nextPageToken: token },
);

const toolCall: fc.Arbitrary<ToolCall> = fc
  .tuple(text, text, text)
  .map(([id, name, given]) => ({ id, type: "function" as const, function: { name, arguments: given } }));
const role = fc.constantFrom<MessageRole>("system", "developer", "user", "assistant", "tool");
const said = { name: text, toolCalls: fc.array(toolCall, { minLength: 1, maxLength: 2 }), toolCallId: text };

const turnInput = recordOf<TurnInput>({ role, content: text }, { ...said, at: instant, recalled: fc.constant(true) });

const turn = recordOf<Turn>({ role, content: text, number: int32, at: instant, recalled: fc.boolean() }, said);

export const appendTurns: fc.Arbitrary<AppendTurnsRequest> = fc.record(
  { expectedLast: int32, turns: fc.array(turnInput, { maxLength: 3 }) },
  { noNullPrototype: true },
);

export const listTurnsRequest: fc.Arbitrary<ListTurnsRequest> = recordOf<ListTurnsRequest>(
  {},
  { first: int32, last: int32, order: fc.constantFrom(...turnOrders), pageSize: int32, pageToken: token },
);

export const listTurnsResult: fc.Arbitrary<ListTurnsResult> = recordOf<ListTurnsResult>(
  { turns: fc.array(turn, { maxLength: 3 }), lastTurn: int32 },
  { nextPageToken: token },
);

export const dailyLogRequest: fc.Arbitrary<DailyLogRequest> = recordOf<DailyLogRequest>(
  { scope, date: text },
  { timeZone: text },
);

/** As JSON gives it back: there is one zero, and no object without a prototype. */
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value).toWellFormed()) as JsonValue);
const jsonObject = fc.dictionary(identifier, json, { maxKeys: 4, noNullPrototype: true });

export const turnState: fc.Arbitrary<TurnState> = jsonObject as fc.Arbitrary<object> as fc.Arbitrary<TurnState>;

export const keptTurnState: fc.Arbitrary<KeptTurnState> = recordOf<KeptTurnState>(
  { state: turnState, isTerminal: fc.boolean() },
  { etag },
);

export const turnStateNews: fc.Arbitrary<TurnStateNews> = fc.oneof(
  turnState.map((fresh) => ({ fresh }) as unknown as TurnStateNews),
  text.map((blockedReason) => ({ blockedReason })),
  fc
    .record(
      { decision: text, rationale: text, alternatives: fc.array(text, { maxLength: 3 }) },
      { noNullPrototype: true },
    )
    .map((decision) => ({ decision })),
  recordOf<{ type: string; result: string; details?: Record<string, JsonValue> | undefined }>(
    { type: text, result: text },
    { details: jsonObject },
  ).map((action) => ({ action })),
);

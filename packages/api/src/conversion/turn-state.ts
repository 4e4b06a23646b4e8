import {
  type Etag,
  type FreshTurnState,
  isPlainObject,
  type KeptTurnState,
  LociError,
  optional,
  type RecordActionRequest,
  type RecordDecisionRequest,
  type TurnState,
} from "@loci/domain";
import type { TurnState as ProtoTurnState } from "../gen/loci/v1/session.ts";
import type { MergeTurnStateRequest } from "../gen/loci/v1/session_service.ts";
import { jsonFromProto, jsonToProto } from "./json.ts";
import { required, withoutUndefined } from "./read-value.ts";
import { field, listOf, RequestForm, sameField } from "./request-form.ts";
import { same, writableText } from "./writable-value.ts";

type News = NonNullable<MergeTurnStateRequest["news"]>;
type ProtoDecision = Extract<News, { readonly $case: "decision" }>["value"];
type ProtoAction = Extract<News, { readonly $case: "action" }>["value"];

const texts = listOf({ write: writableText, read: same<string> });

const decision: RequestForm<RecordDecisionRequest, ProtoDecision> = new RequestForm<
  RecordDecisionRequest,
  ProtoDecision
>("decision", {
  decision: sameField("decision", writableText),
  rationale: sameField("rationale", writableText),
  alternatives: field("alternatives", (given = [], path) => texts.write(given, path), texts.read),
});

const action: RequestForm<RecordActionRequest, ProtoAction> = new RequestForm<RecordActionRequest, ProtoAction>(
  "action",
  {
    type: sameField("type", writableText),
    result: sameField("result", writableText),
    details: field(
      "detailsJson",
      optional(jsonToProto),
      optional((json: string, path) => jsonFromProto(json, path) as NonNullable<RecordActionRequest["details"]>),
    ),
  },
);

/** Something new for a turn state, by what it is. */
export type TurnStateNews =
  | { readonly fresh: FreshTurnState }
  | { readonly decision: RecordDecisionRequest }
  | { readonly action: RecordActionRequest }
  | { readonly blockedReason: string };

/** A state to be kept. @throws LociError `INVALID_REQUEST` for what JSON cannot hold */
export function turnStateToProto(state: TurnState): ProtoTurnState {
  return { json: jsonToProto(checkObject(state), "value"), etag: "", terminal: false };
}

/** @throws LociError `INVALID_REQUEST` for what is not JSON. The engine checks what it says */
export function turnStateFromProto(message: ProtoTurnState | undefined): TurnState {
  return jsonFromProto(required(message, "turnState").json, "value") as TurnState;
}

export function keptTurnStateToProto({ state, etag = "" as Etag, isTerminal }: KeptTurnState): ProtoTurnState {
  return { json: JSON.stringify(state), etag, terminal: isTerminal };
}

/** @throws LociError of code `INVALID_ARGUMENT` for what no server of this version sends */
export function keptTurnStateFromProto(message: ProtoTurnState | undefined): KeptTurnState {
  const { json, etag, terminal } = required(message, "turnState");
  return withoutUndefined<KeptTurnState>({
    state: jsonFromProto(json, "turnState.json") as TurnState,
    etag: etag === "" ? undefined : (etag as Etag),
    isTerminal: terminal,
  });
}

/** @throws LociError with the reason the engine has for the field at fault */
export function turnStateNewsToProto(news: TurnStateNews): News {
  if ("fresh" in news) return { $case: "freshJson", value: jsonToProto(checkObject(news.fresh), "value") };
  if ("blockedReason" in news) return { $case: "blockedReason", value: writableText(news.blockedReason, "reason") };
  return "decision" in news
    ? { $case: "decision", value: decision.write(news.decision, "decision") }
    : { $case: "action", value: action.write(news.action, "action") };
}

/** @throws LociError `INVALID_REQUEST`, naming what is not JSON or that there is nothing new */
export function turnStateNewsFromProto(news: MergeTurnStateRequest["news"]): TurnStateNews {
  const given = required(news, "news");
  if (given.$case === "freshJson") return { fresh: jsonFromProto(given.value, "value") as FreshTurnState };
  if (given.$case === "blockedReason") return { blockedReason: given.value };
  return given.$case === "decision"
    ? { decision: decision.read(given.value, "decision") }
    : { action: action.read(given.value, "action") };
}

/** Anything else would be checked as what it is not: `undefined` has no JSON. */
function checkObject<Value>(value: Value): Value {
  if (isPlainObject(value)) return value;
  throw new LociError("INVALID_REQUEST", {
    message: "The turn state's value must be a plain object.",
    field: "value",
    advice: "Pass a state that was loaded or made by Loci, with changes of the same shape.",
  });
}

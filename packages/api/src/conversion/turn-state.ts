import {
  checkFields,
  type Etag,
  fieldsOf,
  type FreshTurnState,
  isPlainObject,
  type JsonValue,
  type KeptTurnState,
  LociError,
  type RecordActionRequest,
  type RecordDecisionRequest,
  type TurnState,
} from "@loci/domain";
import type { TurnState as ProtoTurnState } from "../gen/loci/v1/session.ts";
import type { MergeTurnStateRequest } from "../gen/loci/v1/session_service.ts";
import { jsonFromProto, jsonToProto } from "./json.ts";
import { required, withoutUndefined } from "./read-value.ts";
import { optionally, writableList, writableText } from "./writable-value.ts";

const decisionFields = fieldsOf<RecordDecisionRequest>({ decision: true, rationale: true, alternatives: true });
const actionFields = fieldsOf<RecordActionRequest>({ type: true, result: true, details: true });

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
export function turnStateNewsToProto(news: TurnStateNews): NonNullable<MergeTurnStateRequest["news"]> {
  if ("fresh" in news) return { $case: "freshJson", value: jsonToProto(checkObject(news.fresh), "value") };
  if ("blockedReason" in news) return { $case: "blockedReason", value: writableText(news.blockedReason, "reason") };
  if ("decision" in news) {
    checkFields(news.decision, decisionFields, "decision");
    const { decision, rationale, alternatives = [] } = news.decision;
    const value = {
      decision: writableText(decision, "decision.decision"),
      rationale: writableText(rationale, "decision.rationale"),
      alternatives: writableList(alternatives, "decision.alternatives").map((one, index) =>
        writableText(one, `decision.alternatives[${index}]`),
      ),
    };
    return { $case: "decision", value };
  }
  checkFields(news.action, actionFields, "action");
  const { type, result, details } = news.action;
  const value = {
    type: writableText(type, "action.type"),
    result: writableText(result, "action.result"),
    detailsJson: optionally(details, "action.details", jsonToProto),
  };
  return { $case: "action", value };
}

/** @throws LociError `INVALID_REQUEST`, naming what is not JSON or that there is nothing new */
export function turnStateNewsFromProto(news: MergeTurnStateRequest["news"]): TurnStateNews {
  const given = required(news, "news");
  if (given.$case === "freshJson") return { fresh: jsonFromProto(given.value, "value") as FreshTurnState };
  if (given.$case === "blockedReason") return { blockedReason: given.value };
  if (given.$case === "decision") return { decision: given.value };
  const { type, result, detailsJson } = given.value;
  if (detailsJson === undefined) return { action: { type, result } };
  const details = jsonFromProto(detailsJson, "action.details") as { readonly [name: string]: JsonValue };
  return { action: { type, result, details } };
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

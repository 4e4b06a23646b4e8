import { checkBoolean, checkFields, fieldsOf, type HistoryOptions } from "@loci/domain";
import type { HistoryOptions as ProtoHistoryOptions } from "../gen/loci/v1/context_service.ts";
import { withoutUndefined } from "./read-value.ts";
import { tokensToProto } from "./window.ts";
import { optionally, writableText } from "./writable-value.ts";

const historyFields = fieldsOf<HistoryOptions>({ strategy: true, lastTurns: true, maxTokens: true, turnNumbers: true });

/** @throws LociError `INVALID_REQUEST`, `INVALID_BUDGET` */
export function historyOptionsToProto(history: HistoryOptions, field: string): ProtoHistoryOptions {
  checkFields(history, historyFields, field);
  return {
    strategy: optionally<string, string>(history.strategy, `${field}.strategy`, (strategy, path) =>
      writableText(strategy, path, "INVALID_REQUEST"),
    ),
    lastTurns: optionally(history.lastTurns, `${field}.lastTurns`, tokensToProto),
    maxTokens: optionally(history.maxTokens, `${field}.maxTokens`, tokensToProto),
    turnNumbers: optionally(history.turnNumbers, `${field}.turnNumbers`, checkBoolean),
  };
}

export function historyOptionsFromProto({
  strategy,
  lastTurns,
  maxTokens,
  turnNumbers,
}: ProtoHistoryOptions): HistoryOptions {
  return withoutUndefined<HistoryOptions>({
    // Like every word that is a string on the wire, for the engine to check.
    strategy: strategy as HistoryOptions["strategy"],
    lastTurns,
    maxTokens,
    turnNumbers,
  });
}

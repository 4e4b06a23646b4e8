import { type HistoryOptions, optional } from "@loci/domain";
import type { HistoryOptions as ProtoHistoryOptions } from "../gen/loci/v1/context_service.ts";
import { field, RequestForm, sameField } from "./request-form.ts";
import { tokensToProto } from "./window.ts";
import { writableBoolean, writableText } from "./writable-value.ts";

export const historyOptions: RequestForm<HistoryOptions, ProtoHistoryOptions> = new RequestForm<
  HistoryOptions,
  ProtoHistoryOptions
>("history", {
  strategy: field(
    "strategy",
    optional((strategy: string, path) => writableText(strategy, path, "INVALID_REQUEST")),
    // Like every word that is a string on the wire, for the engine to check.
    (strategy: string | undefined) => strategy as HistoryOptions["strategy"],
  ),
  lastTurns: sameField("lastTurns", optional(tokensToProto)),
  maxTokens: sameField("maxTokens", optional(tokensToProto)),
  turnNumbers: sameField("turnNumbers", optional(writableBoolean)),
});

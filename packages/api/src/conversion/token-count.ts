import { optional, type TokenCount, type TokensApi } from "@loci/domain";
import type { CountTokensRequest, CountTokensResponse } from "../gen/loci/v1/context_service.ts";
import { RequestForm, sameField } from "./request-form.ts";
import { writablePrompt } from "./writable-value.ts";

export const tokenCountRequest: RequestForm<Parameters<TokensApi["count"]>[0], CountTokensRequest> = new RequestForm<
  Parameters<TokensApi["count"]>[0],
  CountTokensRequest
>("request", {
  text: sameField("text", writablePrompt),
  model: sameField("model", optional(writablePrompt)),
});

export function tokenCountToProto({ tokens, tokenizer, estimated }: TokenCount): CountTokensResponse {
  return { tokens, tokenizer, estimated };
}

export function tokenCountFromProto({ tokens, tokenizer, estimated }: CountTokensResponse): TokenCount {
  return { tokens, tokenizer, estimated };
}

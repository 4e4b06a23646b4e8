import { checkFields, fieldsOf, type TokenCount, type TokensApi } from "@loci/domain";
import type { CountTokensRequest, CountTokensResponse } from "../gen/loci/v1/context_service.ts";
import { withoutUndefined } from "./read-value.ts";
import { optionally, writablePrompt } from "./writable-value.ts";

type TokenCountRequest = Parameters<TokensApi["count"]>[0];

const countFields = fieldsOf<TokenCountRequest>({ text: true, model: true });

/** @throws LociError `INVALID_REQUEST`, `INVALID_TEXT` */
export function tokenCountRequestToProto(request: TokenCountRequest): CountTokensRequest {
  checkFields(request, countFields, "request");
  return {
    text: writablePrompt(request.text, "text"),
    model: optionally(request.model, "model", writablePrompt),
  };
}

export function tokenCountRequestFromProto({ text, model }: CountTokensRequest): TokenCountRequest {
  return withoutUndefined({ text, model });
}

export function tokenCountToProto({ tokens, tokenizer, estimated }: TokenCount): CountTokensResponse {
  return { tokens, tokenizer, estimated };
}

export function tokenCountFromProto({ tokens, tokenizer, estimated }: CountTokensResponse): TokenCount {
  return { tokens, tokenizer, estimated };
}

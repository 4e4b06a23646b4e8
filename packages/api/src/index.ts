export * from "./conversion/append-and-assemble.ts";
export * from "./conversion/append-and-capture.ts";
export { assembleRequestFromProto, assembleRequestToProto } from "./conversion/assemble-request.ts";
export * from "./conversion/assembled-context.ts";
export * from "./conversion/block.ts";
export * from "./conversion/block-edit.ts";
export * from "./conversion/block-edit-request.ts";
export * from "./conversion/block-request.ts";
export * from "./conversion/block-schema.ts";
export { budgetCheckFromProto, budgetCheckRequest, budgetCheckToProto } from "./conversion/budget-check.ts";
export * from "./conversion/caller.ts";
export * from "./conversion/capture-job.ts";
export * from "./conversion/capture-request.ts";
export * from "./conversion/conversation.ts";
export * from "./conversion/enforced-budget.ts";
export {
  exportedRecordFromProto,
  exportedRecordToProto,
  exportRecordsRequest,
  importRecordsReportFromProto,
  importRecordsReportToProto,
} from "./conversion/exchange.ts";
export * from "./conversion/filter.ts";
export { instantFromProto, instantToProto } from "./conversion/instant.ts";
export {
  keptReceiptFromProto,
  keptReceiptToProto,
  listReceiptsRequest,
  listReceiptsResultFromProto,
  listReceiptsResultToProto,
} from "./conversion/kept-receipt.ts";
export * from "./conversion/list-memories.ts";
export * from "./conversion/list-memory-scopes.ts";
export * from "./conversion/maintenance-job.ts";
export * from "./conversion/maintenance-report.ts";
export {
  memoryIdsPartFromProto,
  memoryIdsPartToProto,
  memoryIdsRequestFromProto,
  memoryIdsRequestToProto,
} from "./conversion/listed-ids.ts";
export * from "./conversion/many-memories.ts";
export * from "./conversion/memory.ts";
export * from "./conversion/memory-key.ts";
export * from "./conversion/memory-patch.ts";
export * from "./conversion/memory-stream.ts";
export * from "./conversion/model-usage.ts";
export * from "./conversion/operation.ts";
export * from "./conversion/precondition.ts";
export { int64FromProto } from "./conversion/read-value.ts";
export { recallRequestFromProto, recallRequestToProto } from "./conversion/recall-request.ts";
export * from "./conversion/recall-result.ts";
export * from "./conversion/remember-input.ts";
export * from "./conversion/scope.ts";
export * from "./conversion/session.ts";
export * from "./conversion/session-key.ts";
export * from "./conversion/status.ts";
export * from "./conversion/token-count.ts";
export * from "./conversion/trimmed-messages.ts";
export * from "./conversion/turn.ts";
export * from "./conversion/turn-state.ts";
export { identifierToProto } from "./conversion/identifier.ts";
export { writableInt32, writableInt64, writableList, writableText } from "./conversion/writable-value.ts";
export { descriptorFiles, descriptorSetFile } from "./descriptor-set.ts";
export { inContractWords } from "./contract-words.ts";
export { failedForTls } from "./tls-trouble.ts";
export { errorDomain, errorFromStatus, errorToStatus, retryAfterDetail, statusDetailsKey } from "./error-status.ts";
export { MalformedRequest, withStrictRequests } from "./malformed-request.ts";
export { readAnswer } from "./reading-answers.ts";
export { requestSize } from "./request-size.ts";
export * as proto from "./gen/loci/v1/index.ts";
export { idOfApiKey } from "./tokens/api-key-form.ts";
export { type DelegatedTokenOptions, delegatedToken } from "./tokens/delegated-token.ts";
export { type DelegatedClaims, readDelegatedToken, type SignedToken } from "./tokens/read-delegated-token.ts";
export { isSignedBy, publicKeyOf, tokenKeyOf } from "./tokens/token-key.ts";
export { longestDelegationSeconds } from "./tokens/token-form.ts";

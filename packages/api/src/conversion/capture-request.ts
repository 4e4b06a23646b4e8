import {
  type CaptureExtractor,
  checkFields,
  fieldsOf,
  type ListCapturesRequest,
  type ListCapturesResult,
  type ListReviewsRequest,
  type ListReviewsResult,
  type PostMortemInput,
  type StartCaptureInput,
} from "@loci/domain";
import type {
  ListCapturesRequest as ProtoListCapturesRequest,
  ListCapturesResponse,
  ListReviewsRequest as ProtoListReviewsRequest,
  ListReviewsResponse,
  RecordPostMortemRequest,
  ReplayCaptureRequest,
  StartCaptureRequest,
} from "../gen/loci/v1/capture_service.ts";
import { ReviewDecision as ProtoReviewDecision } from "../gen/loci/v1/capture_service.ts";
import {
  captureExtractorWords,
  captureJobFromProto,
  captureJobToProto,
  memoryReviewFromProto,
  memoryReviewToProto,
} from "./capture-job.ts";
import { Enumeration } from "./enumeration.ts";
import { identifierToProto } from "./memory-content.ts";
import { pageTokenFromProto, pageTokenToProto } from "./page-token.ts";
import { required, withoutUndefined } from "./read-value.ts";
import { scopeFromProto, scopesFromProto, scopesToProto, scopeToProto } from "./scope.ts";
import { sessionReferenceFromProto, sessionReferenceToProto } from "./session-reference.ts";
import { optionally, writableBoolean, writableInt32, writableList, writableText } from "./writable-value.ts";

const startFields = fieldsOf<StartCaptureInput>({
  session: true,
  turns: true,
  projectScope: true,
  extractor: true,
  dryRun: true,
});
const rangeFields = fieldsOf<NonNullable<StartCaptureInput["turns"]>>({ first: true, last: true });
const replayFields = fieldsOf<{ extractor?: CaptureExtractor }>({ extractor: true });
const listFields = fieldsOf<ListCapturesRequest>({ session: true, pageSize: true, pageToken: true });
const reviewsFields = fieldsOf<ListReviewsRequest>({ scopes: true, pageSize: true, pageToken: true });
const postMortemFields = fieldsOf<PostMortemInput>({ scope: true, failure: true, lesson: true, tags: true });

export const reviewDecisions: Enumeration<"approve" | "reject", ProtoReviewDecision> = new Enumeration({
  approve: ProtoReviewDecision.APPROVE,
  reject: ProtoReviewDecision.REJECT,
});

/** @throws LociError with the reason the engine has for the field at fault */
export function startCaptureToProto(input: StartCaptureInput): StartCaptureRequest {
  checkFields(input, startFields, "input");
  if (input.turns !== undefined) checkFields(input.turns, rangeFields, "turns");
  return {
    session: sessionReferenceToProto(input.session, "session"),
    firstTurn: optionally(input.turns?.first, "turns.first", writableInt32),
    lastTurn: optionally(input.turns?.last, "turns.last", writableInt32),
    projectScope: optionally(input.projectScope, "projectScope", scopeToProto),
    extractor: captureExtractorWords.optionalToProto(input.extractor, "extractor"),
    validateOnly: optionally(input.dryRun, "dryRun", writableBoolean) ?? false,
  };
}

/** @throws LociError with the field at fault */
export function startCaptureFromProto(message: StartCaptureRequest): StartCaptureInput {
  const { firstTurn: first, lastTurn: last } = message;
  return withoutUndefined<StartCaptureInput>({
    session: sessionReferenceFromProto(required(message.session, "session"), "session"),
    turns: first === undefined && last === undefined ? undefined : withoutUndefined({ first, last }),
    projectScope: optionally(message.projectScope, "projectScope", scopeFromProto),
    extractor: captureExtractorWords.optionalFromProto(message.extractor, "extractor"),
    dryRun: message.validateOnly ? true : undefined,
  });
}

/** @throws LociError with the reason the engine has for the field at fault */
export function replayCaptureToProto(
  id: string,
  changes: { readonly extractor?: CaptureExtractor | undefined } = {},
): ReplayCaptureRequest {
  checkFields(changes, replayFields, "changes");
  return {
    id: identifierToProto(id, "id"),
    extractor: captureExtractorWords.optionalToProto(changes.extractor, "extractor"),
  };
}

/** @throws LociError with the field at fault */
export function replayChangesFromProto({ extractor }: ReplayCaptureRequest): {
  readonly extractor?: CaptureExtractor | undefined;
} {
  return withoutUndefined({ extractor: captureExtractorWords.optionalFromProto(extractor, "extractor") });
}

/** @throws LociError with the reason the engine has for the field at fault */
export function listCapturesRequestToProto(request: ListCapturesRequest): ProtoListCapturesRequest {
  checkFields(request, listFields, "request");
  return {
    session: sessionReferenceToProto(request.session, "session"),
    pageSize: optionally(request.pageSize, "pageSize", writableInt32),
    pageToken: optionally(request.pageToken, "pageToken", pageTokenToProto) ?? "",
  };
}

/** @throws LociError with the field at fault */
export function listCapturesRequestFromProto(message: ProtoListCapturesRequest): ListCapturesRequest {
  return withoutUndefined<ListCapturesRequest>({
    session: sessionReferenceFromProto(required(message.session, "session"), "session"),
    pageSize: message.pageSize,
    pageToken: pageTokenFromProto(message.pageToken),
  });
}

export function listCapturesResultToProto({ captures, nextPageToken = "" }: ListCapturesResult): ListCapturesResponse {
  return { captures: captures.map(captureJobToProto), nextPageToken };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function listCapturesResultFromProto(response: ListCapturesResponse): ListCapturesResult {
  return withoutUndefined<ListCapturesResult>({
    captures: response.captures.map((job) => captureJobFromProto(job)),
    nextPageToken: pageTokenFromProto(response.nextPageToken),
  });
}

/** @throws LociError with the reason the engine has for the field at fault */
export function listReviewsRequestToProto(request: ListReviewsRequest): ProtoListReviewsRequest {
  checkFields(request, reviewsFields, "request");
  return {
    scopes: scopesToProto(request.scopes, "scopes"),
    pageSize: optionally(request.pageSize, "pageSize", writableInt32),
    pageToken: optionally(request.pageToken, "pageToken", pageTokenToProto) ?? "",
  };
}

/** @throws LociError with the field at fault */
export function listReviewsRequestFromProto(message: ProtoListReviewsRequest): ListReviewsRequest {
  return withoutUndefined<ListReviewsRequest>({
    scopes: scopesFromProto(message.scopes, "scopes"),
    pageSize: message.pageSize,
    pageToken: pageTokenFromProto(message.pageToken),
  });
}

export function listReviewsResultToProto({ reviews, nextPageToken = "" }: ListReviewsResult): ListReviewsResponse {
  return { reviews: reviews.map(memoryReviewToProto), nextPageToken };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function listReviewsResultFromProto(response: ListReviewsResponse): ListReviewsResult {
  return withoutUndefined<ListReviewsResult>({
    reviews: response.reviews.map(memoryReviewFromProto),
    nextPageToken: pageTokenFromProto(response.nextPageToken),
  });
}

/** @throws LociError with the reason the engine has for the field at fault */
export function postMortemToProto(input: PostMortemInput, requestId: string): RecordPostMortemRequest {
  checkFields(input, postMortemFields, "input");
  const tags = optionally(input.tags, "tags", (list, field) => writableList(list, field, "INVALID_TAGS"));
  return {
    scope: scopeToProto(input.scope, "scope"),
    failure: writableText(input.failure, "failure", "INVALID_REQUEST"),
    lesson: writableText(input.lesson, "lesson", "INVALID_REQUEST"),
    tags: (tags ?? []).map((tag, index) => writableText(tag, `tags[${index}]`, "INVALID_TAGS")),
    requestId,
  };
}

/** @throws LociError with the field at fault */
export function postMortemFromProto({ scope, failure, lesson, tags }: RecordPostMortemRequest): PostMortemInput {
  return { scope: scopeFromProto(scope, "scope"), failure, lesson, ...(tags.length === 0 ? {} : { tags }) };
}

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
import { optionalPageTokenToProto, pageTokenFromProto } from "./page-token.ts";
import { required, withoutUndefined } from "./read-value.ts";
import { field, listOf, optionalList, optionalWord, part, RequestForm, sameField } from "./request-form.ts";
import { scopeFromProto, scopesFromProto, scopesToProto, scopeToProto } from "./scope.ts";
import { sessionKey } from "./session-key.ts";
import {
  optionally,
  optionalWritableInt32,
  same,
  writableBoolean,
  writableInt32,
  writableText,
} from "./writable-value.ts";

const startFields = fieldsOf<StartCaptureInput>({
  session: true,
  turns: true,
  projectScope: true,
  extractor: true,
  dryRun: true,
});
const rangeFields = fieldsOf<NonNullable<StartCaptureInput["turns"]>>({ first: true, last: true });

export const reviewDecisions: Enumeration<"approve" | "reject", ProtoReviewDecision> = new Enumeration({
  approve: ProtoReviewDecision.APPROVE,
  reject: ProtoReviewDecision.REJECT,
});

/** @throws LociError with the reason the engine has for the field at fault */
export function startCaptureToProto(input: StartCaptureInput): StartCaptureRequest {
  checkFields(input, startFields, "input");
  if (input.turns !== undefined) checkFields(input.turns, rangeFields, "turns");
  return {
    session: sessionKey.write(input.session, "session"),
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
    session: sessionKey.read(required(message.session, "session"), "session"),
    turns: first === undefined && last === undefined ? undefined : withoutUndefined({ first, last }),
    projectScope: optionally(message.projectScope, "projectScope", scopeFromProto),
    extractor: captureExtractorWords.optionalFromProto(message.extractor, "extractor"),
    dryRun: message.validateOnly ? true : undefined,
  });
}

/** What a replay may do otherwise. */
export interface ReplayChanges {
  readonly extractor?: CaptureExtractor | undefined;
}

export const replayChanges: RequestForm<ReplayChanges, ReplayCaptureRequest, "id"> = new RequestForm<
  ReplayChanges,
  ReplayCaptureRequest,
  "id"
>("changes", {
  extractor: optionalWord("extractor", captureExtractorWords),
});

export const listCapturesRequest: RequestForm<ListCapturesRequest, ProtoListCapturesRequest> = new RequestForm<
  ListCapturesRequest,
  ProtoListCapturesRequest
>("request", {
  session: part("session", sessionKey),
  pageSize: sameField("pageSize", optionalWritableInt32),
  pageToken: field("pageToken", optionalPageTokenToProto, pageTokenFromProto),
});

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

export const listReviewsRequest: RequestForm<ListReviewsRequest, ProtoListReviewsRequest> = new RequestForm<
  ListReviewsRequest,
  ProtoListReviewsRequest
>("request", {
  scopes: field("scopes", scopesToProto, scopesFromProto),
  pageSize: sameField("pageSize", optionalWritableInt32),
  pageToken: field("pageToken", optionalPageTokenToProto, pageTokenFromProto),
});

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

export const postMortem: RequestForm<PostMortemInput, RecordPostMortemRequest, "requestId"> = new RequestForm<
  PostMortemInput,
  RecordPostMortemRequest,
  "requestId"
>("input", {
  scope: field("scope", scopeToProto, scopeFromProto),
  failure: sameField("failure", lessonToProto),
  lesson: sameField("lesson", lessonToProto),
  tags: optionalList("tags", listOf({ write: tagToProto, read: same }, "INVALID_TAGS")),
});

function lessonToProto(text: string, path: string): string {
  return writableText(text, path, "INVALID_REQUEST");
}

function tagToProto(tag: string, path: string): string {
  return writableText(tag, path, "INVALID_TAGS");
}

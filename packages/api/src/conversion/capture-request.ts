import {
  type CaptureExtractor,
  type CaptureState,
  checkFields,
  fieldsOf,
  type ListCapturesRequest,
  type ListCapturesResult,
  type ListReviewsRequest,
  type ListReviewsResult,
  LociError,
  type PostMortemInput,
  type StartCaptureInput,
} from "@loci/domain";
import type { CaptureState as ProtoCaptureState } from "../gen/loci/v1/capture.ts";
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
  captureStateWords,
  memoryReviewFromProto,
  memoryReviewToProto,
} from "./capture-job.ts";
import { Enumeration } from "./enumeration.ts";
import { optionalPageTokenToProto, pageTokenFromProto } from "./page-token.ts";
import { required, withoutUndefined } from "./read-value.ts";
import { field, listOf, optionalList, optionalWord, RequestForm, sameField } from "./request-form.ts";
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

const listFields = fieldsOf<ListCapturesRequest>({
  session: true,
  scopes: true,
  states: true,
  pageSize: true,
  pageToken: true,
});

const states = listOf<CaptureState, ProtoCaptureState>({
  write: (state, path) => captureStateWords.toProto(state, path),
  read: (state, path) => captureStateWords.fromProto(state, path),
});

/** @throws LociError with the reason the engine has for the field at fault */
export function listCapturesRequestToProto(request: ListCapturesRequest): ProtoListCapturesRequest {
  checkFields(request, listFields, "request");
  const { session, scopes } = request;
  if (session !== undefined && scopes !== undefined) throw sessionAndScopes();
  const isEvery = scopes === "*";
  return {
    session: optionally(session, "session", sessionKey.write),
    scopes: isEvery || scopes === undefined ? [] : scopesToProto(scopes, "scopes"),
    allScopes: isEvery,
    states: optionally(request.states, "states", statesToProto) ?? [],
    pageSize: optionalWritableInt32(request.pageSize, "pageSize"),
    pageToken: optionalPageTokenToProto(request.pageToken, "pageToken"),
  };
}

/** On the wire an empty list asks for the default; in process it is refused, so it is here. */
function statesToProto(given: readonly CaptureState[], path: string): ProtoCaptureState[] {
  const written = states.write(given, path);
  if (written.length > 0) return written;
  throw new LociError("INVALID_REQUEST", {
    message: "states is empty.",
    field: path,
    advice: "Leave it out for captures in every state.",
  });
}

/** @throws LociError with the field at fault */
export function listCapturesRequestFromProto(message: ProtoListCapturesRequest): ListCapturesRequest {
  const { session, scopes, allScopes, pageSize } = message;
  if (session !== undefined && (allScopes || scopes.length > 0)) throw sessionAndScopes();
  if (allScopes && scopes.length > 0)
    throw new LociError("INVALID_REQUEST", {
      message: "The request names scopes and asks for all of them.",
      field: "allScopes",
      advice: "Leave one of the two out.",
    });
  const named = scopes.length === 0 ? undefined : scopesFromProto(scopes, "scopes");
  return withoutUndefined<ListCapturesRequest>({
    session: optionally(session, "session", sessionKey.read),
    scopes: allScopes ? "*" : named,
    states: message.states.length === 0 ? undefined : states.read(message.states, "states"),
    pageSize,
    pageToken: pageTokenFromProto(message.pageToken),
  });
}

function sessionAndScopes(): LociError {
  return new LociError("INVALID_REQUEST", {
    message: "The request names a session and scopes.",
    field: "scopes",
    advice: "Leave one of the two out.",
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

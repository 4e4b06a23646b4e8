import type {
  AppendAndCaptureRequest,
  CapturedSessionInput,
  CapturedTurns,
  CaptureDecision,
  LearnedMemory,
} from "@loci/domain";
import type { LearnedMemory as ProtoLearnedMemory } from "../gen/loci/v1/capture.ts";
import type { AppendTurnsAndCaptureRequest, AppendTurnsAndCaptureResponse } from "../gen/loci/v1/session_service.ts";
import { captureExtractorWords, captureJobFromProto, captureJobToProto } from "./capture-job.ts";
import { memoryFromProto, memoryToProto } from "./memory.ts";
import { required, withoutUndefined } from "./read-value.ts";
import { field, optionalWord, RequestForm, sameField } from "./request-form.ts";
import { keptScopeFromProto, keptScopeToProto } from "./scope.ts";
import { capturedSessionFromProto, capturedSessionToProto } from "./session.ts";
import { appendedTurnsFromProto, turnInputs } from "./turn.ts";
import { optionally, optionalWritableInt32, writableInt64 } from "./writable-value.ts";

type Wait = AppendTurnsAndCaptureRequest["wait"];

/** What `appendAndCapture` takes, as one value. */
export interface AppendAndCapture {
  readonly session: CapturedSessionInput;
  readonly request: AppendAndCaptureRequest;
}

const captureForm: RequestForm<AppendAndCaptureRequest, AppendTurnsAndCaptureRequest, "session" | "requestId"> =
  new RequestForm<AppendAndCaptureRequest, AppendTurnsAndCaptureRequest, "session" | "requestId">("request", {
    turns: field("turns", turnInputs.write, turnInputs.read),
    expectedLast: sameField("expectedLastTurn", optionalWritableInt32),
    extractor: optionalWord("extractor", captureExtractorWords),
    waitMilliseconds: field(
      "wait",
      (wait: number | undefined, path): Wait => optionally(wait, path, waitToProto),
      (wait: Wait) => wait && Number(wait.seconds) * 1_000 + wait.nanos / 1_000_000,
    ),
  });

/** @throws LociError with the reason the engine has for the field at fault */
export function appendAndCaptureToProto(
  session: CapturedSessionInput,
  request: AppendAndCaptureRequest,
): Omit<AppendTurnsAndCaptureRequest, "requestId"> {
  return { session: capturedSessionToProto(session), ...captureForm.toProto(request) };
}

/** @throws LociError with the field at fault */
export function appendAndCaptureFromProto({ session, ...request }: AppendTurnsAndCaptureRequest): AppendAndCapture {
  return { session: capturedSessionFromProto(session), request: captureForm.fromProto(request) };
}

export function capturedTurnsToProto(result: CapturedTurns): AppendTurnsAndCaptureResponse {
  const { scope, id } = result.session;
  return {
    session: { scope: keptScopeToProto(scope, "session.scope"), id },
    appended: result.appended,
    captures: result.captures.map(captureJobToProto),
    learned: result.learned.map(({ decision, memory, closed }) => ({
      decision,
      memory: memory && memoryToProto(memory),
      closed: closed && memoryToProto(closed),
    })),
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function capturedTurnsFromProto(response: AppendTurnsAndCaptureResponse): CapturedTurns {
  const session = required(response.session, "session");
  return {
    session: { scope: keptScopeFromProto(session.scope, "session.scope"), id: session.id },
    appended: appendedTurnsFromProto(required(response.appended, "appended")),
    captures: response.captures.map((capture, index) => captureJobFromProto(capture, `captures[${index}]`)),
    learned: response.learned.map(learnedFromProto),
  };
}

function learnedFromProto({ decision, memory, closed }: ProtoLearnedMemory, index: number): LearnedMemory {
  const path = `learned[${index}]`;
  return withoutUndefined<LearnedMemory>({
    decision: decision as CaptureDecision,
    memory: memory && memoryFromProto(memory, `${path}.memory`),
    closed: closed && memoryFromProto(closed, `${path}.closed`),
  });
}

function waitToProto(milliseconds: number, path: string): NonNullable<Wait> {
  const whole = writableInt64(milliseconds, path);
  return { seconds: whole / 1_000n, nanos: Number(whole % 1_000n) * 1_000_000 };
}

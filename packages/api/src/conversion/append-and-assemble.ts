import {
  type AppendedContext,
  type AppendTurnsRequest,
  checkFields,
  LociError,
  type SessionContextRequest,
  type SessionKey,
  type SessionKeyInput,
} from "@loci/domain";
import type {
  AppendTurnsAndAssembleContextRequest,
  AppendTurnsAndAssembleContextResponse,
} from "../gen/loci/v1/session_service.ts";
import { assembleFields, assembleRequestFromProto, assembleRequestToProto } from "./assemble-request.ts";
import { assembledContextFromProto } from "./assembled-context.ts";
import { required } from "./read-value.ts";
import { sessionKey, sessionKeyFromProto } from "./session-key.ts";
import { appendedTurnsFromProto, appendTurns } from "./turn.ts";

/** What `appendAndAssemble` takes, as one value. */
export interface AppendAndAssemble {
  readonly key: SessionKey;
  readonly turns: AppendTurnsRequest;
  readonly context: SessionContextRequest | undefined;
}

const contextFields: ReadonlySet<string> = new Set(
  [...assembleFields].filter((name) => name !== "session" && name !== "messages"),
);

/** @throws LociError with the reason the engine has for the field at fault */
export function appendAndAssembleToProto(
  key: SessionKeyInput,
  turns: AppendTurnsRequest,
  context: SessionContextRequest = {},
): AppendTurnsAndAssembleContextRequest {
  checkFields(context, contextFields, "context");
  return {
    append: { ...sessionKey.toProto(key), ...appendTurns.toProto(turns) },
    context: assembleRequestToProto(context),
  };
}

/** @throws LociError with the field at fault; `INVALID_REQUEST` for a context that names its conversation again */
export function appendAndAssembleFromProto({
  append,
  context,
}: AppendTurnsAndAssembleContextRequest): AppendAndAssemble {
  const given = required(append, "append");
  const request = context === undefined ? undefined : assembleRequestFromProto(context);
  for (const field of ["session", "messages"] as const)
    if (request?.[field] !== undefined)
      throw new LociError("INVALID_REQUEST", {
        message: `context.${field} is there, but the conversation is the session that is appended to.`,
        field: `context.${field}`,
        advice: `Leave ${field} out.`,
      });
  return { key: sessionKeyFromProto(given), turns: appendTurns.fromProto(given), context: request };
}

/** @throws LociError of code `INVALID_ARGUMENT` for what no server of this version sends */
export function appendedContextFromProto({
  appended,
  context,
}: AppendTurnsAndAssembleContextResponse): AppendedContext {
  return {
    appended: appendedTurnsFromProto(required(appended, "appended")),
    context: assembledContextFromProto(required(context, "context")),
  };
}

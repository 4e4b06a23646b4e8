import {
  checkFields,
  checkIdentifier,
  fieldsOf,
  formatScope,
  LociError,
  maxSessionIdBytes,
  namesNobody,
  type NonEmpty,
  parseScope,
  parseScopes,
  type Scope,
  type ScopeInput,
  utf8ByteLength,
} from "@loci/domain";

/** Who speaks, in which conversation, and what may be recalled for it. The application says so: never a message, and never a model. */
export interface Conversation {
  /** Whose memory it is: what is said is kept there, and what is learnt of it as well. */
  readonly scope: ScopeInput;
  /** The id of the session in that scope, at most 187 bytes. It is begun when it is missing. Without one nothing is kept. */
  readonly session?: string | undefined;
  /** Where it is recalled from. Default: `scope` alone. */
  readonly recallFrom?: readonly ScopeInput[] | undefined;
  /** Who answers, by the id of an agent scope. */
  readonly agent?: string | undefined;
  /** What it is about, by the id of a project scope. */
  readonly project?: string | undefined;
}

/** A conversation that was checked. */
export interface KnownConversation {
  readonly scope: Scope;
  readonly session?: string | undefined;
  readonly recallFrom: NonEmpty<Scope>;
  readonly agent?: string | undefined;
  readonly project?: string | undefined;
}

const fields = fieldsOf<Conversation>({ scope: true, session: true, recallFrom: true, agent: true, project: true });

/**
 * Checks what the application says of a conversation. In options of a framework nobody else looks at how its fields are spelt.
 *
 * @throws LociError `SCOPE_REQUIRED` when it says nothing, names no scope, or one such as `user:undefined`; `INVALID_REQUEST` for an
 *   unknown field; `INVALID_SCOPE`, `INVALID_IDENTIFIER`
 */
export function readConversation(given: Conversation | undefined): KnownConversation {
  const { scope, session, recallFrom, agent, project } = given ?? ({} as Partial<Conversation>);
  if (scope === undefined) throw scopeRequired();
  checkFields({ ...given }, fields, "conversation");
  // Whether `recallFrom` is a list is said below.
  const others = Array.isArray(recallFrom) ? (recallFrom as readonly ScopeInput[]) : [];
  for (const named of [scope, ...others]) checkIsSomebody(named);
  const owner = parseScope(scope, "conversation.scope");
  const recalled = recallFrom === undefined ? ([owner] as const) : parseScopes(recallFrom, "conversation.recallFrom");
  return {
    scope: owner,
    recallFrom: recalled,
    ...(session === undefined ? {} : { session: checkSessionId(session) }),
    ...(agent === undefined ? {} : { agent: checkIdentifier(agent, "conversation.agent") }),
    ...(project === undefined ? {} : { project: checkIdentifier(project, "conversation.project") }),
  };
}

/** Names what a conversation is kept and recalled by. Two have the same name only if these are equal. */
export function nameOfConversation({ scope, session, recallFrom }: KnownConversation): string {
  return JSON.stringify([formatScope(scope), session ?? null, recallFrom.map(formatScope)]);
}

function checkIsSomebody(scope: ScopeInput): void {
  if (!namesNobody(scope)) return;
  throw new LociError("SCOPE_REQUIRED", {
    message: `The conversation names ${scope}, which is nobody: whatever should say who speaks was not there. The model was not called.`,
    field: "conversation.scope",
    advice: 'Find out who speaks before you ask. If somebody is called so, say it with { kind: "user", id: "…" }.',
  });
}

function checkSessionId(id: string): string {
  const checked = checkIdentifier(id, "conversation.session");
  const bytes = utf8ByteLength(checked);
  if (bytes <= maxSessionIdBytes) return checked;
  throw new LociError("INVALID_IDENTIFIER", {
    message: `conversation.session has ${bytes} bytes, but the id of a session at most ${maxSessionIdBytes}.`,
    field: "conversation.session",
    advice: "Use a shorter id, such as a UUID.",
  });
}

function scopeRequired(): LociError {
  return new LociError("SCOPE_REQUIRED", {
    message: "The conversation names no scope: nobody said whose memory it is. The model was not called.",
    field: "conversation.scope",
    advice: 'Pass conversation: { scope: "user:ann", session: "…" }, or a function that returns it for each request.',
  });
}

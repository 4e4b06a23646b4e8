import {
  type BlockWrite,
  hasRole,
  type KeptSession,
  type Memory,
  type MemoryRecord,
  type Principal,
} from "@loci/domain";

/*
 * What a call that writes tells who may not read: what it has sent, and the names, versions and positions that the next write takes.
 * Nothing of what stood there before, also when a repeated request is answered again. That something has a name which it has named,
 * and how often it was changed, it is told: it could not write else.
 */

/** @param sent the fields that the call has named. A memory in its first version is all of who has made it */
export function memoryAnswer(principal: Principal, memory: Memory, sent: readonly (keyof MemoryRecord)[]): Memory {
  if (hasRole(principal, "read") || memory.version === 1) return memory;
  return withoutContent(memory, sent);
}

/** A memory whose content is the sent fields, and of the others what says nothing. */
export function withoutContent(memory: Memory, sent: readonly (keyof MemoryRecord)[]): Memory {
  const { id, scope, state, version, etag, updatedAt, recordedAt, embedding, warnings } = memory;
  const given: Partial<MemoryRecord> = Object.fromEntries(
    sent.flatMap((name) => (memory[name] === undefined ? [] : [[name, memory[name]]])),
  );
  return {
    text: "",
    category: "fact",
    importance: 0,
    confidence: 0,
    isStatic: false,
    tags: [],
    origin: "manual",
    trust: "trusted",
    metadata: {},
    ...given,
    id,
    scope,
    state,
    version,
    etag,
    createdAt: updatedAt,
    updatedAt,
    recordedAt,
    usage: { accessCount: 0 },
    embedding,
    ...(warnings === undefined ? {} : { warnings }),
  };
}

/** A session that the call has not begun itself. */
export function sessionAnswer(principal: Principal, session: KeptSession): KeptSession {
  if (hasRole(principal, "read")) return session;
  const { agent: _agent, project: _project, title: _title, ...told } = session;
  return told;
}

/** A block that was there before, and the proposal that the call has made. */
export function blockAnswer<Write extends BlockWrite>(principal: Principal, write: Write): Write {
  if (hasRole(principal, "read")) return write;
  const { description: _description, ...block } = write.block;
  return { ...write, block: { ...block, values: {} } };
}

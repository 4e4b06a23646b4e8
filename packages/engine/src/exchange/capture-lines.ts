import { formatScope, type MemoryRecord, type Ref } from "@loci/domain";
import { type LogEntry, sessionFamily, type StoredResource } from "@loci/ledger";
import {
  captureOf,
  endStates,
  payloadsOf,
  type StoredCapture,
  type SucceededPayload,
} from "../capture/stored-capture.ts";
import { sessionRef } from "../sessions/session-key.ts";
import { sessionOf } from "../sessions/stored-session.ts";
import { placeOf, type SessionPlace } from "./session-lines.ts";
import type { LineContent, LineSource } from "./line-source.ts";

/** What a line says of the memories that a capture made and closed, so that it can be undone where it is imported, too. */
export interface ExportedWork {
  /** Those that it added. */
  readonly added: readonly Ref[];
  /** Those that it closed, each with the end and the successor that it had before. */
  readonly closed: readonly { readonly ref: Ref; readonly validTo?: number; readonly supersededBy?: Ref }[];
  /** Those of both that were changed since: undoing leaves them. */
  readonly changed: readonly Ref[];
  readonly evidence: readonly Ref[];
  readonly reviews: readonly Ref[];
}

/** A capture that is over, with what came of it. What is still to be done is no content: whoever takes the session over does it. */
export async function captureLines(
  source: LineSource,
  entry: LogEntry,
  resource: StoredResource,
): Promise<readonly LineContent[]> {
  const capture = captureOf(resource);
  if (capture === undefined || entry.version !== capture.version || !endStates.has(capture.state)) return [];
  const { succeeded, undone } = await payloadsOf(source, source.tenant, capture, source.signal);
  const { ref, turns, projectScope, extractor, state, attempts, problem, createdAt, updatedAt } = capture;
  return [
    {
      type: "capture",
      fields: {
        id: ref,
        session: await sessionOfCapture(source, capture),
        turns,
        projectScope: projectScope && formatScope(projectScope),
        extractor,
        state,
        attempts,
        problem,
        createdAt,
        updatedAt,
        outcome: succeeded?.outcome,
        work: succeeded && (await workOf(source, succeeded)),
        undone: undone?.undone,
      },
    },
  ];
}

/** Of a session that was deleted since only its name is left. */
async function sessionOfCapture(
  { ledger, tenant, signal }: LineSource,
  { session: { scope, id }, since }: StoredCapture,
): Promise<Partial<SessionPlace>> {
  const ref = sessionRef({ scope, id });
  const found = (await ledger.resources.get(tenant, sessionFamily, [ref], { signal })).get(ref);
  const session = found && sessionOf(found);
  return session?.since === since ? placeOf(session) : { scope: formatScope(scope), id };
}

async function workOf(
  { ledger, tenant, signal }: LineSource,
  { added, closed, changed = [], evidence, reviews }: SucceededPayload,
): Promise<ExportedWork> {
  const refs = [...added, ...closed.map(({ ref }) => ref)];
  const current = await ledger.memories(tenant, refs, { signal });
  const isAsItWas = (ref: Ref, version: number): boolean => {
    const memory: MemoryRecord | undefined = current.get(ref)?.memory;
    return memory?.version === version && memory.state !== "deleted" && !changed.includes(ref);
  };
  const before = async ({ ref, version, before: known }: SucceededPayload["closed"][number]) => {
    if (!isAsItWas(ref, version)) return { ref };
    const former =
      known ??
      (await ledger.versions(tenant, ref, { signal })).find((each) => each.memory.version === version - 1)?.memory;
    return { ref, validTo: former?.validTo, supersededBy: former?.supersededBy };
  };
  const work = {
    added,
    closed: await Promise.all(closed.map(before)),
    changed: [
      ...added.filter((ref) => !isAsItWas(ref, 1)),
      ...closed.filter(({ ref, version }) => !isAsItWas(ref, version)).map(({ ref }) => ref),
    ],
    evidence,
    reviews,
  };
  return work as ExportedWork;
}

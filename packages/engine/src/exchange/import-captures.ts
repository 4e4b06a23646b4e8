import { type Ref, throwIfAborted } from "@loci/domain";
import {
  captureFamily,
  evidenceFamily,
  type Expectation,
  type Ledger,
  type ResourceChange,
  sessionFamily,
} from "@loci/ledger";
import type { CaptureAuthority, SucceededPayload } from "../capture/stored-capture.ts";
import { captureWritten } from "../capture/stored-capture.ts";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { isOutdated, isVersionConflict } from "../calls/version-conflict.ts";
import { erasedOf } from "../memories/erased-memories.ts";
import { sessionRef } from "../sessions/session-key.ts";
import { sessionOf } from "../sessions/stored-session.ts";
import type { LineResult, LineResults } from "./line-results.ts";
import type { CaptureLine } from "./read-capture-line.ts";
import type { EvidenceLine } from "./read-evidence-line.ts";

/** Takes back what captures made of sessions, and what memories rest on, in one commit. */
export async function importCaptures(
  { ledger }: { readonly ledger: Ledger },
  call: Call,
  lines: readonly (CaptureLine | EvidenceLine)[],
  results: LineResults,
): Promise<void> {
  const { principal, signal } = call;
  const { subject, scopePatterns } = principal;
  if (lines.length === 0) return;
  // Nothing of it is carried out any more; should it ever be, it is on behalf of who has imported it.
  const authority: CaptureAuthority = { subject, scopePatterns, mayApprove: false };
  for (;;) {
    throwIfAborted(signal);
    const known = await knownOf(ledger, call, lines);
    const expect: Expectation[] = [];
    const changes: ResourceChange[] = [];
    const written = new Set<Ref>();
    for (const line of lines) {
      const result = written.has(line.id) ? "unchanged" : resultOf(line, known);
      results.set(line, result);
      if (result !== "imported") continue;
      written.add(line.id);
      expect.push({ ref: line.id, version: 0 });
      changes.push(line.type === "capture" ? captureChange(line, known, authority) : evidenceChange(line));
    }
    if (changes.length === 0) return;
    try {
      await ledger.commit({ ...authoredBy(principal), expect, changes }, { signal });
      return;
    } catch (error) {
      // Somebody else has imported or erased some of it meanwhile. What cannot be stored at all has another family's ref.
      if (!isOutdated(error)) throw error;
      if (isVersionConflict(error) && !(await hasAppeared(ledger, call, lines, known))) throw error;
    }
  }
}

interface Known {
  readonly there: ReadonlySet<Ref>;
  readonly erased: ReadonlySet<Ref>;
  readonly memories: ReadonlySet<Ref>;
  /** Of each session the version that it began with, and when. */
  readonly sessions: ReadonlyMap<Ref, { readonly since: number; readonly createdAt: number }>;
}

async function knownOf(
  ledger: Ledger,
  { principal: { tenant }, signal }: Call,
  lines: readonly (CaptureLine | EvidenceLine)[],
): Promise<Known> {
  const captures = lines.filter((line) => line.type === "capture");
  const evidence = lines.filter((line) => line.type === "evidence");
  const about = [...new Set(evidence.map(({ record }) => record.memory))];
  const sessionRefs = [...new Set(captures.map(({ session }) => sessionRef(session)))];
  const [stored, places, memories, sessions, erased] = await Promise.all([
    ledger.resources.get(
      tenant,
      captureFamily,
      captures.map(({ id }) => id),
      { signal },
    ),
    ledger.resources.get(
      tenant,
      evidenceFamily,
      evidence.map(({ id }) => id),
      { signal },
    ),
    ledger.memories(tenant, about, { signal }),
    ledger.resources.get(tenant, sessionFamily, sessionRefs, { signal }),
    erasedOf(ledger, tenant, [...lines.map(({ id }) => id), ...about], signal),
  ]);
  return {
    there: new Set([...stored.keys(), ...places.keys()]),
    erased,
    memories: new Set(memories.keys()),
    sessions: new Map(
      [...sessions.values()].flatMap((resource) => {
        const session = sessionOf(resource);
        return session === undefined
          ? []
          : [[resource.ref, { since: session.since, createdAt: session.header.createdAt }]];
      }),
    ),
  };
}

function resultOf(line: CaptureLine | EvidenceLine, { there, erased, memories }: Known): LineResult {
  if (there.has(line.id)) return "unchanged";
  if (erased.has(line.id)) return "erased";
  if (line.type === "capture") return "imported";
  const { memory } = line.record;
  // It would tell of what was erased.
  if (erased.has(memory)) return "erased";
  return memories.has(memory) ? "imported" : noMemory;
}

function captureChange(
  { id, session, begun, record, outcome, work, undone }: CaptureLine,
  { sessions }: Known,
  authority: CaptureAuthority,
): ResourceChange {
  const found = sessions.get(sessionRef(session));
  // Versions count from 1: of a session that is not there any more it is of none.
  const since = found !== undefined && found.createdAt === begun ? found.since : 0;
  const made = outcome && work && ({ outcome, ...workHere(work) } satisfies SucceededPayload);
  const payload = { ...made, ...(undone === undefined ? {} : { undone }) };
  return captureWritten({ ...record, session, since, authority, ref: id }, 1, payload);
}

/** What a capture did, in versions as they are here: what came by an import is at its first. */
function workHere({ added, closed, changed, evidence, reviews }: ExportedWorkOf): Omit<SucceededPayload, "outcome"> {
  return {
    added,
    closed: closed.map(({ ref, ...before }) => ({ ref, version: 1, before })),
    changed,
    evidence,
    reviews,
  };
}

type ExportedWorkOf = NonNullable<CaptureLine["work"]>;

function evidenceChange({ id, scope, record }: EvidenceLine): ResourceChange {
  return {
    type: "resourceWritten",
    family: evidenceFamily,
    kind: "evidenceRecorded",
    ref: id,
    version: 1,
    scope,
    group: record.memory,
    state: record,
  };
}

async function hasAppeared(
  ledger: Ledger,
  call: Call,
  lines: readonly (CaptureLine | EvidenceLine)[],
  { there, erased }: Known,
): Promise<boolean> {
  const now = await knownOf(ledger, call, lines);
  return now.there.size > there.size || now.erased.size > erased.size;
}

const noMemory = {
  reason: "MEMORY_NOT_FOUND",
  problem: "The memory that it is about is not there: import that line first.",
} as const;

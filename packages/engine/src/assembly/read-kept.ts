import { type KeptSources, type Layout, shownSources } from "@loci/core";
import {
  type AssembleRequest,
  type AssemblyWarning,
  type DayLog,
  formatScope,
  parseInstant,
  permitsScope,
  type RecallRotation,
  type Scope,
} from "@loci/domain";
import type { BoundFileProblem } from "../blocks/bound-files.ts";
import type { Call } from "../calls/call.ts";
import type { StepTimings } from "../calls/step-timings.ts";
import { checkTimeZone } from "../validation/validate-time-zone.ts";
import type { TurnsOf } from "../sessions/read-turns.ts";
import { existingSession, type StoredSession } from "../sessions/stored-session.ts";
import type { AssemblyServices } from "./assembly-services.ts";
import { permittedKeptRequest } from "./kept-request.ts";
import { keptSourceReaders, type ReadSources } from "./kept-source-readers.ts";
import type { SessionContent } from "./validate-assemble-request.ts";

/** What of Loci's own a context is filled from. */
export interface KeptContent {
  readonly session?: (SessionContent & { readonly turnsOf: TurnsOf }) | undefined;
  readonly sources: KeptSources;
  /** Whose blocks they are. */
  readonly owners: readonly Scope[];
  /** Of files whose documents are not what they say, and of what the layout has no place for. */
  readonly warnings: readonly AssemblyWarning[];
}

/** What reading it takes. */
export interface KeptRead {
  readonly services: AssemblyServices;
  readonly call: Call;
  readonly timings: StepTimings;
}

/**
 * Reads the session a request names, and of what is kept for it and for the owners of blocks whatever the layout has a place
 * for.
 *
 * @returns `undefined` for a request that names neither
 * @throws LociError `SESSION_NOT_FOUND`, `TURN_STATE_CORRUPT`; as `permittedKeptRequest`
 */
export async function readKept(
  { services, call, timings }: KeptRead,
  request: AssembleRequest,
  layout: Layout,
): Promise<KeptContent | undefined> {
  if (request.session === undefined && request.blockOwners === undefined) return undefined;
  const { session: key, blockOwners } = permittedKeptRequest(call, request);
  return timings.measure("kept", async () => {
    const { tenant } = call.principal;
    const { signal } = call;
    const session = key && (await existingSession(services, tenant, key, signal));
    const owners = blockOwners ?? ownersOf(call, session);
    const shown = shownSources(layout);
    // Before blocks are read: a file that was changed is a version by then.
    const problems = await services.boundFiles.look(services, { tenant, owners, labels: shown.blocks, signal });
    const turnsOf = session && { tenant, session, signal };
    const [messages, days, ...sources] = await Promise.all([
      turnsOf && services.sessionConversations.newest(services, turnsOf),
      session && daysAskedFor(request, layout) ? daysOf({ services, call }, session, request) : undefined,
      ...keptSourceReaders.map((read) => read({ services, call }, { session, owners, shown })),
    ]);
    const { coreMemoryWithoutPlace, ...kept } = Object.assign({ blocks: [] }, ...sources) as ReadSources;
    return {
      session: turnsOf &&
        messages && {
          turnsOf,
          messages,
          title: turnsOf.session.header.title,
          days,
          rotation: rotationOf(turnsOf.session),
        },
      sources: kept,
      owners,
      warnings: [
        ...problems.map((problem) => fileWarning(problem, layout)),
        ...(coreMemoryWithoutPlace === undefined ? [] : [placeWarning(coreMemoryWithoutPlace, layout)]),
      ],
    };
  });
}

/** Of a document whose last version stands, because its file cannot be one. */
function fileWarning({ label, error }: BoundFileProblem, { sections }: Layout): AssemblyWarning {
  const shown = sections.find(({ source }) => source === `block:${label}`) ?? coreMemorySection(label, sections);
  return {
    reason: "CORE_MEMORY_INVALID",
    ...(shown === undefined ? {} : { section: shown.name }),
    message: `The last version of ${label} stands: ${error.message}`,
    advice: error.advice ?? "Mend the file, and save it again.",
  };
}

/** Of a core memory that the layout does not show: whoever wrote it thinks that the model knows it. */
function placeWarning(owner: string, { name }: Layout): AssemblyWarning {
  return {
    reason: "CORE_MEMORY_NOT_SHOWN",
    message: `The core memory of ${owner} is not in this context: the layout ${name} has no section for it.`,
    advice: "Use the layout threeTier, or one of your own with a section whose source is coreMemory.",
  };
}

function coreMemorySection(label: string, sections: Layout["sections"]): Layout["sections"][number] | undefined {
  return label === "core_memory" ? sections.find(({ source }) => source === "coreMemory") : undefined;
}

/** Whether the layout shows days and none are given. */
function daysAskedFor({ files }: AssembleRequest, { sections }: Layout): boolean {
  return sections.some(({ source }) => source === "days") && (files?.days ?? []).length === 0;
}

/** What was talked about of late in the scope of a session, this session included. */
function daysOf(
  { services, call: { principal, signal } }: Pick<KeptRead, "services" | "call">,
  { header: { scope } }: StoredSession,
  request: AssembleRequest,
): Promise<readonly DayLog[]> {
  const { evaluationTime } = request;
  const timeZone = request.timeZone === undefined ? undefined : checkTimeZone(request.timeZone);
  const now = evaluationTime === undefined ? services.clock() : parseInstant(evaluationTime, "evaluationTime");
  return services.recentDays.of(services, { tenant: principal.tenant, scope, now, timeZone, signal });
}

/** Whose blocks a session shows: its agent's, its scope's and its project's, as far as the caller may read what is theirs. */
function ownersOf({ principal }: Call, session: StoredSession | undefined): readonly Scope[] {
  if (session === undefined) return [];
  const { agent, scope, project } = session.header;
  const owners: readonly Scope[] = [
    ...(agent === undefined ? [] : [{ kind: "agent", id: agent } as const]),
    scope,
    ...(project === undefined ? [] : [{ kind: "project", id: project } as const]),
  ];
  return owners.filter((owner) => permitsScope(principal, owner));
}

/** Memories are noted as shown to this session of its scope. */
function rotationOf({ header: { scope, id } }: StoredSession): RecallRotation {
  return { owner: formatScope(scope), session: id };
}

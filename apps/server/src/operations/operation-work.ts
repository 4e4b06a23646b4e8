import {
  LociError,
  type MaintenanceJob,
  type MaintenanceProgress,
  type MaintenanceReport,
  type Principal,
  type Role,
} from "@loci/loci";

/** What is started. */
export interface StartedWork {
  readonly kind: string;
  /** Takes it to start the work, and so to look at it, to wait for it and to stop it. */
  readonly role: Role;
  /** What there is to do, where the kind does not say it all. */
  readonly job?: MaintenanceJob | undefined;
}

/** An operation as the ledger keeps it: what there is to do, and as whom. */
export interface RecordedWork extends StartedWork {
  readonly principal: Principal;
}

/** Carries work out, as its principal may. */
export type CarryOut = (
  work: RecordedWork,
  call: { readonly signal: AbortSignal; readonly onProgress: (progress: MaintenanceProgress) => void },
) => Promise<MaintenanceReport | undefined>;

export function encodeWork(work: RecordedWork): string {
  const { tenant, subject, roles, scopePatterns } = work.principal;
  return JSON.stringify({ ...work, principal: { tenant, subject, roles, scopePatterns } });
}

/** What `encodeWork` has made. @throws LociError `DATA_DIRECTORY_CORRUPT` for anything else */
export function parseWork(request: string): RecordedWork {
  const work = parsed(request);
  if (typeof work?.kind === "string" && typeof work.principal?.tenant === "string" && work.role !== undefined)
    return work as RecordedWork;
  throw new LociError("DATA_DIRECTORY_CORRUPT", {
    message: "An operation in the ledger does not say what there is to do.",
    advice: "Start it again.",
  });
}

/** What is no JSON is nothing: the message of the parser would quote it. */
function parsed(request: string): Partial<RecordedWork> | null {
  try {
    return JSON.parse(request) as Partial<RecordedWork> | null;
  } catch {
    return null;
  }
}

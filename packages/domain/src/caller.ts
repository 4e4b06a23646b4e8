import type { TenantId } from "./identifiers.ts";
import type { Principal, Role } from "./principal.ts";
import { lociVersion } from "./version.ts";

/** The services of the contract, by their full names. */
export const contractServices: readonly string[] = [
  "loci.v1.BlockService",
  "loci.v1.CaptureService",
  "loci.v1.ContextService",
  "loci.v1.MaintenanceService",
  "loci.v1.MemoryService",
  "loci.v1.OperationService",
  "loci.v1.SessionService",
  "loci.v1.StatusService",
];

/** Whom Loci takes a caller for, and who answers. */
export interface Caller {
  readonly tenant: TenantId;
  /** The name that ends up as the author of what the caller writes, such as `api-key:ci` or `local`. */
  readonly subject: string;
  readonly roles: readonly Role[];
  /** Which scopes it may touch: exact (`user:alice`), all of a kind (`user:*`), or everything (`*`). */
  readonly scopePatterns: readonly string[];
  /** Of the server; in process of Loci itself. */
  readonly version: string;
  /** The services that it has, such as `loci.v1.MemoryService`: a later version may have more. */
  readonly services: readonly string[];
}

/** Whom this version takes a principal for. */
export function callerOf({ tenant, subject, roles, scopePatterns }: Principal): Caller {
  return { tenant, subject, roles, scopePatterns, version: lociVersion, services: contractServices };
}

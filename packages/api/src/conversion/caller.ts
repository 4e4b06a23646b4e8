import type { Caller, Role, TenantId } from "@loci/domain";
import type { Caller as ProtoCaller } from "../gen/loci/v1/status.ts";
import { required } from "./read-value.ts";

export function callerToProto({ tenant, subject, roles, scopePatterns, version, services }: Caller): ProtoCaller {
  return { tenant, subject, roles: [...roles], scopePatterns: [...scopePatterns], version, services: [...services] };
}

/** A role of a later version is passed on. @throws LociError for an answer without a caller */
export function callerFromProto(caller: ProtoCaller | undefined): Caller {
  const { tenant, subject, roles, scopePatterns, version, services } = required(caller, "caller");
  return { tenant: tenant as TenantId, subject, roles: roles as Role[], scopePatterns, version, services };
}

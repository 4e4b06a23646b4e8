import { type Loci, type Principal, roles, tenantId } from "@loci/domain";
import { openEngine, type OpenEngineOptions } from "./open-engine.ts";

export interface OpenLociOptions extends OpenEngineOptions {
  /** Whose data it is. A directory may hold many tenants, which never see each other. */
  readonly tenant: string;
}

/**
 * Opens Loci in this process, on a data directory. The program may do everything in its tenant; `close` closes it all.
 *
 * @throws LociError `INVALID_IDENTIFIER` for the tenant, and what `openEngine` throws
 */
export async function openLoci(options: OpenLociOptions): Promise<Loci> {
  const { tenant, ...engineOptions } = options;
  const principal: Principal = {
    tenant: tenantId(tenant),
    subject: "local",
    roles,
    scopePatterns: ["*"],
  };
  const { ledger = "sqlite" } = engineOptions;
  // Programs that share a database would each keep all of its mirrors.
  const engine = await openEngine({ gitMirrors: ledger === "sqlite", ...engineOptions });
  const loci = engine.for(principal);
  const close = (): Promise<void> => engine.close();
  return { ...loci, close, [Symbol.asyncDispose]: close };
}

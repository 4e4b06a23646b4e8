import { type CallOptions, checkOptions, type Loci, type Principal, roles, tenantId } from "@loci/domain";
import type { BoundFile, BoundFileInput } from "@loci/engine";
import { locateDataDirectory } from "@loci/served-directory";
import { engineOptionNames, openEngine, type OpenEngineOptions } from "./open-engine.ts";
import { checkDivision } from "./shards/check-division.ts";

export interface OpenLociOptions extends OpenEngineOptions {
  /** Whose data it is. A directory may hold many tenants, which never see each other. */
  readonly tenant: string;
}

const optionNames: ReadonlySet<string> = new Set(["tenant", ...engineOptionNames]);

/** Loci in this process, which shares its files. */
export interface LocalLoci extends Loci {
  /**
   * Every tenant that has anything in this data directory, or in the shard that this one is in, by name: whose else the files are.
   *
   * @param query `limit`: most of them. Default: all
   */
  tenants(query?: { readonly limit?: number | undefined }): Promise<readonly string[]>;
  /**
   * Keeps a document as a file of yours, such as an agent's core memory as `CORE_MEMORY.md`: before each context that shows it, a
   * changed file becomes a version by `file`, and a document that was changed otherwise is written into the file. A file that
   * is over the document's cap, half written, empty or gone changes nothing: the last version stands, and contexts warn
   * `CORE_MEMORY_INVALID`. Bound until `unbind`, or until Loci is closed.
   *
   * @throws LociError `INVALID_SCOPE`, `INVALID_IDENTIFIER`, `INVALID_REQUEST`
   */
  bindFile(input: BoundFileInput, options?: CallOptions): Promise<BoundFile>;
}

/**
 * Opens Loci in this process, on a data directory. The program may do everything in its tenant; `close` closes it all.
 *
 * @throws LociError `INVALID_IDENTIFIER` for the tenant, `INVALID_CONFIGURATION` for an option that it does not have, and what
 *   `openEngine` throws
 */
export async function openLoci(options: OpenLociOptions): Promise<LocalLoci> {
  checkOptions(options, optionNames, "openLoci");
  const { tenant, ...engineOptions } = options;
  const principal: Principal = {
    tenant: tenantId(tenant),
    subject: "local",
    roles,
    scopePatterns: ["*"],
  };
  const { ledger = "sqlite" } = engineOptions;
  if (ledger === "sqlite" && engineOptions.isShard !== true)
    checkDivision(locateDataDirectory(engineOptions.dataDirectory), principal.tenant);
  // Programs that share a database would each keep all of its mirrors.
  // Nor are words written in the clear, unless it was asked for, beside a ledger in which they are encrypted.
  const gitMirrors = ledger === "sqlite" && engineOptions.encryption === undefined;
  const engine = await openEngine({ gitMirrors, ...engineOptions, isShard: true });
  const loci = engine.for(principal);
  const close = (): Promise<void> => engine.close();
  const bindFile: LocalLoci["bindFile"] = (input, call) => engine.bindFile(principal.tenant, input, call);
  return { ...loci, tenants: (query) => engine.tenants(query), bindFile, close, [Symbol.asyncDispose]: close };
}

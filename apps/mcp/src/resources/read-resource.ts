import type { Loci } from "@loci/loci";
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { readLoci } from "../connection/read-loci.ts";
import type { ToolEnvironment } from "../tools/tool-environment.ts";

/**
 * Reads what stands at an address.
 *
 * @throws ResourceNotFoundError with that address where nothing is that the caller may read: by it clients tell a resource that is gone from
 *   parameters that are wrong
 */
export async function readResource<Result>(
  environment: Pick<ToolEnvironment, "connection">,
  uri: URL,
  calls: (loci: Loci) => Promise<Result>,
): Promise<Result> {
  try {
    return await readLoci(environment, calls);
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code !== Number(ProtocolErrorCode.InvalidParams)) throw error;
    throw new ResourceNotFoundError(uri.href, error.message);
  }
}

// A stranger's program that only the compiler reads: every type that the packages give must be found from there.
import { connectLoci } from "@loci/client";
import { LociError, type Loci, openLoci, type RecallResult } from "@loci/loci";

export async function recall(address?: string): Promise<RecallResult> {
  const loci: Loci = address === undefined ? await openLoci({ tenant: "acme" }) : connectLoci({ address });
  try {
    return await loci.recall({ query: "Which database?", scopes: ["project:billing", { kind: "global" }] });
  } catch (error) {
    throw error instanceof LociError ? new Error(error.advice) : error;
  } finally {
    await loci.close();
  }
}

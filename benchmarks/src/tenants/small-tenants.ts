import { type OpenedEngine, type Principal, roles, tenantId } from "@loci/loci";
import { prose } from "../data/prose.ts";

/** Tenants that are written at the same time: their commits share what waiting for the disk costs. */
const atOnce = 64;

export function principalOf(number: number): Principal {
  return { tenant: tenantId(`tenant-${number}`), subject: "benchmark", roles, scopePatterns: ["*"] };
}

/** What the first memory of a tenant says: a question whose answer it is. */
export function questionFor(number: number): string {
  return prose(number * 10, 1);
}

/** From 3 to 10 memories of one sentence. */
function memoriesOf(number: number): readonly { readonly text: string; readonly scope: "user:owner" }[] {
  return Array.from({ length: 3 + (number % 8) }, (_, place) => ({
    text: prose(number * 10 + place, 1),
    scope: "user:owner",
  }));
}

/** Remembers everything of the tenants from one number up to another. @returns how many memories these are */
export async function writeTenants(
  engine: Pick<OpenedEngine, "for">,
  from: number,
  end: number,
  onProgress: (done: number) => void,
): Promise<number> {
  let memories = 0;
  let next = from;
  const work = async (): Promise<void> => {
    while (next < end) {
      const number = next++;
      const inputs = memoriesOf(number);
      const loci = engine.for(principalOf(number));
      await loci.memories.rememberMany(inputs);
      await loci.settled();
      memories += inputs.length;
      if (number % 1_000 === 0) onProgress(number);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return memories;
}

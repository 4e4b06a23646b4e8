// What `docs/guides/core-memory.md` shows: what an agent knows by heart.
import { type Loci, type LocalLoci, LociError } from "@loci/loci";

const coach = { owner: "agent:coach", label: "core_memory" } as const;

export async function begin(loci: Loci): Promise<void> {
  const text = "<!-- BUDGET: 40 lines, 800 tokens -->\n## About me\n- I coach swimmers.\n\n## Critical rules\n";
  await loci.blocks.create({ ...coach, values: { text } });
}

export async function learn(loci: Loci): Promise<void> {
  const rule = await loci.memories.remember({ text: "Never plan two hard days in a row.", scope: "agent:coach" });
  await loci.blocks.promote({ ...coach, memory: rule.id, heading: "Critical rules" });
  await loci.blocks.demote({ ...coach, line: "- I coach swimmers." });
}

export async function answer(loci: Loci, question: string): Promise<string> {
  const context = await loci.assemble({
    layout: "threeTier",
    blockOwners: ["agent:coach"],
    query: question,
    recall: { scopes: ["agent:coach"] },
  });
  return context.text;
}

export async function whatIsTooMuch(loci: Loci, text: string): Promise<readonly string[]> {
  const { etag } = await loci.blocks.get(coach);
  try {
    await loci.blocks.update(coach, { values: { text } }, { etag });
    return [];
  } catch (error) {
    if (!LociError.is(error) || error.reason !== "BLOCK_LIMIT_EXCEEDED") throw error;
    // Also in the details: the heaviest sections, and the lines that were changed lately.
    return JSON.parse(error.details?.["candidates"] ?? "[]") as readonly string[];
  }
}

export async function bind(loci: LocalLoci, file: string): Promise<void> {
  const { problem } = await loci.bindFile({ owner: "agent:coach", file });
  if (problem !== undefined) console.warn(problem.message);
}

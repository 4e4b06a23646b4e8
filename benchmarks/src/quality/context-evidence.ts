import type { LayoutDefinition, LayoutName } from "@loci/domain";
import type { ScopeText } from "@loci/loci";
import { shareOf } from "./evidence-share.ts";
import type { AskedQuestion } from "./replay.ts";
import type { Variant } from "./variant.ts";

/** Tokens that knowledge gets in a context. */
export const contextSizes = [512, 1_024, 2_048] as const;

/** How memories are written down in a context: what stands around each of them takes tokens, too. */
export const memoryForms: readonly { readonly name: string; readonly layout: LayoutName | LayoutDefinition }[] = [
  { name: "memories as elements, with source and confidence (memoryBlocks)", layout: "memoryBlocks" },
  {
    name: "memories as a list, with category",
    layout: {
      name: "list",
      memoryForm: "list",
      sections: [
        { name: "system", source: "system", shortening: "never" },
        { name: "project", source: "project", shortening: "sentences" },
        { name: "task", source: "task", shortening: "sentences" },
        { name: "history", source: "history", shortening: "history", rank: 5 },
        { name: "knowledge", source: "knowledge", shortening: "items", rank: 4 },
      ],
    },
  },
];

/** The share of a question's evidence that stands in an assembled context whose knowledge may take so many tokens. */
export async function evidenceInContext(
  { scope, unitOf, ...asked }: AskedQuestion,
  { profile }: Variant,
  layout: LayoutName | LayoutDefinition,
  knowledge: number,
): Promise<number> {
  const kept = await keptInContext({ ...asked, scopes: [scope] }, { profile, layout, knowledge });
  return shareOf(
    kept.map((id) => unitOf({ id: id as never })),
    asked.question.evidence,
  );
}

/** Ids of the memories that stand in an assembled context whose knowledge may take so many tokens. */
export async function keptInContext(
  {
    loci,
    question,
    scopes,
    evaluationTime,
  }: Pick<AskedQuestion, "loci" | "question" | "evaluationTime"> & { readonly scopes: readonly ScopeText[] },
  {
    profile,
    layout,
    knowledge,
  }: Pick<Variant, "profile"> & { readonly layout: LayoutName | LayoutDefinition; readonly knowledge: number },
): Promise<readonly string[]> {
  const { receipt } = await loci.assemble({
    query: question.text,
    evaluationTime,
    layout,
    // Knowledge takes its budget and no more: nothing is lent to it. The notice about recalled text stands in `system`.
    profile: "rag",
    mode: "last",
    window: {
      sections: { system: 100, project: 0, task: 0, history: 0, knowledge },
      query: 1_000,
      response: 0,
      safetyBuffer: 0,
    },
    recall: { scopes, profile, limit: 100, procedureLimit: 0, maxTokens: 2 * knowledge },
  });
  const section = receipt.sections.find(({ name }) => name === "knowledge");
  if (section === undefined || section.usedTokens > knowledge) throw new Error("The context is not of the size asked.");
  return receipt.items.filter(({ kind, outcome }) => kind === "memory" && outcome !== "dropped").map(({ id }) => id);
}

import { normalForm, type Receipt } from "@loci/domain";

/**
 * The sources an answer cites that were not in the context it was made from, in the order they are first cited. An answer
 * cites as the context shows sources: `source="ADR-007"`, or `[ADR-007]` and `(ADR-007)` with a digit in it.
 */
export function checkCitations(answer: string, { items }: Pick<Receipt, "items">): readonly string[] {
  const known = new Set<string>();
  for (const { id, kind, source, outcome } of items)
    if (kind === "memory" && outcome !== "dropped") known.add(folded(source ?? id));
  const unknown = new Map<string, string>();
  for (const [, quoted, bracketed] of answer.matchAll(citation)) {
    const cited = (quoted ?? bracketed ?? "").trim();
    if (cited !== "" && !known.has(folded(cited)) && !unknown.has(folded(cited))) unknown.set(folded(cited), cited);
  }
  return [...unknown.values()];
}

// A name with a digit behind a dash or a colon: `ADR-007`, `conversation:12`. Not `[1]`, not `(see below)`.
const citation =
  /\bsource="([^"\n]{1,200})"|(?<!\w)[[(]([A-Za-z][\w.:/-]{0,100}[-:][\w.:/-]{0,99}\d[\w.:/-]{0,99})[\])]/g;

function folded(source: string): string {
  return normalForm(source, "NFKC").trim().toLowerCase();
}

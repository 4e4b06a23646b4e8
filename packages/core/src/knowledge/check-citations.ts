import { normalForm, type Receipt } from "@loci/domain";

/**
 * The sources an answer cites that were not in the context it was made from, in the order they are first cited. An answer
 * cites as the context shows sources, `source="ADR-007"`, and by a name with a digit behind a dash or a colon: in brackets,
 * `[ADR-007]`, `(source: ADR-007, ADR-012)`, and behind words such as `per ADR-007`, `based on incident-2024-11`.
 */
export function checkCitations(answer: string, { items }: Pick<Receipt, "items">): readonly string[] {
  const known = new Set<string>();
  for (const { id, kind, source, outcome } of items)
    if (kind === "memory" && outcome !== "dropped") known.add(folded(source ?? id));
  const unknown = new Map<string, string>();
  for (const [, quoted, bracketed, said] of answer.matchAll(citation))
    for (const cited of citedIn(quoted, bracketed, said))
      if (!known.has(folded(cited)) && !unknown.has(folded(cited))) unknown.set(folded(cited), cited);
  return [...unknown.values()];
}

// What stands in brackets is only looked at: `(as decided in ADR-007)` cites within them.
const citation =
  /\bsource="([^"\n]{1,200})"|(?<!\w)[[(](?:sources?:? |see |cf\. )?(?=([^[\]()\n]{1,200})[\])])|\b(?:per|according to|based on|(?:decided|described|documented|noted|recorded|stated) in) (?=([^\n]{1,200}))/giu;

function citedIn(
  quoted: string | undefined,
  bracketed: string | undefined,
  said: string | undefined,
): readonly string[] {
  if (quoted !== undefined) return quoted.trim() === "" ? [] : [quoted.trim()];
  if (said !== undefined) return namesIn(said).names;
  const { names, end } = namesIn(bracketed ?? "");
  // `(ADR-007 has more)` says something, and cites nothing.
  return end === bracketed?.length ? names : [];
}

/** The names of sources that a text begins with, in a list where there are several, and where they end. */
function namesIn(text: string): { readonly names: readonly string[]; readonly end: number } {
  const names: string[] = [];
  let end = 0;
  for (let start = 0; ;) {
    const [word = ""] = textFrom(text, start, nameLike);
    const name = word.replace(/[.:/-]{1,200}$/, "");
    // `ADR-007`, `conversation:12`. Not `1`, `see` or `i-`.
    if (!/[-:].{0,200}\d/.test(name)) return { names, end };
    names.push(name);
    end = start + name.length;
    const [between] = textFrom(text, end, betweenNames);
    if (between === undefined) return { names, end };
    start = end + between.length;
  }
}

const nameLike = /[A-Za-z][\w.:/-]{0,200}/y;
const betweenNames = /(?:[,;] (?:and )?| and )/y;

function textFrom(text: string, start: number, pattern: RegExp): readonly (string | undefined)[] {
  pattern.lastIndex = start;
  return pattern.exec(text) ?? [];
}

function folded(source: string): string {
  return normalForm(source, "NFKC").trim().toLowerCase();
}

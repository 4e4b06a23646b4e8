import type { CaptureCandidate, CaptureReason } from "@loci/domain";
import type { CaptureInput } from "./capture-input.ts";
import { withoutQuotations } from "./extract/quotations.ts";
import { asCarriedOut } from "./extract/ordered-amounts.ts";
import { toldToBeForgotten } from "./extract/told-to-be-forgotten.ts";
import { endingsOf } from "./judge/endings.ts";
import { facetsOf } from "./judge/facets.ts";
import { givenUpIn } from "./judge/given-up.ts";
import { isAllOf } from "./judge/left-untold.ts";
import type { ReadMemory } from "./judge/read-memory.ts";
import { judged } from "./judged-statement.ts";
import type { ScreenedStatement } from "./screened-statement.ts";

/** What is not worth remembering by itself may say that something known is over, or different: `Forget the oak!`, `46 now` */
export function closing(
  input: CaptureInput,
  screened: ScreenedStatement,
  reason: CaptureReason,
  open: ReadonlyMap<string, ReadMemory>,
): CaptureCandidate | undefined {
  const isSaid = reason === "VAGUE" || reason === "TRANSIENT";
  if (!isSaid || screened.text === "") return undefined;
  const { statement } = screened;
  // Of what is told of a day nothing is kept, and so nothing of it is said.
  const said = statement.said === "" ? withoutQuotations(statement.sentence.text) : statement.said;
  const isEnd = endingsOf(said).length > 0;
  if (!isEnd && !givesNewValue(said)) return undefined;
  const candidate = judged(input, { ...screened, statement: { ...statement, said } }, open);
  const known = open.get(candidate.target ?? "");
  if (known === undefined || candidate.decision === "NOOP") return undefined;
  if (candidate.decision === "UPDATE" && replacesValue(said, known))
    return { ...candidate, text: asCarriedOut(candidate.text) };
  // What says otherwise is not what is to be forgotten.
  const isOther = candidate.decision === "UPDATE" && toldToBeForgotten(statement.sentence.text) !== undefined;
  if (!isEnd || isOther) return undefined;
  // `Stopped the melatonin` is worth as much as the rest of what it ends.
  return endingsOf(said).every(({ over }) => isAllOf(known, over)) ? { ...candidate, decision: "DELETE" } : candidate;
}

/** `Forget everything about billing` ends whatever is known of it, and not only what is nearest. */
export function* alsoEnded(
  input: CaptureInput,
  screened: ScreenedStatement,
  open: Map<string, ReadMemory>,
  first: CaptureCandidate,
): Generator<CaptureCandidate> {
  let ended: CaptureCandidate | undefined = first;
  while (ended?.decision === "DELETE") {
    open.delete(ended.target ?? "");
    ended = closing(input, screened, "VAGUE", open);
    if (ended?.decision === "DELETE") yield ended;
  }
}

/** `74 instead of 90`, `46 now`: what gives a known memory another value is worth as much as the memory is. */
function givesNewValue(said: string): boolean {
  const { tellsChange, numbers } = facetsOf(said);
  return (tellsChange && numbers.size > 0) || givenUpIn(said).length > 0;
}

function replacesValue(said: string, { facets }: ReadMemory): boolean {
  return givenUpIn(said).length > 0 || (givesNewValue(said) && facets.numbers.size > 0);
}

import type { CaptureEvidence, CaptureReason } from "@loci/domain";
import { type DetectionPolicies, heldRefused, type ScreenedText, screenText } from "./detection/policies.ts";
import type { StatementPattern } from "./extract/grammar/statement-pattern.ts";
import type { TurnStatement } from "./extract/turn-statement.ts";
import { fewestWords, type FoundCandidate } from "./validate/validate-candidate.ts";

/** A statement without secrets, or why nothing of it may be remembered. */
export interface ScreenedStatement {
  readonly statement: TurnStatement;
  readonly text: string;
  readonly quote: string;
  readonly offered: CaptureEvidence | undefined;
  readonly isQuarantined: boolean;
  readonly reason: CaptureReason | undefined;
}

/** Fewer words besides personal data that was taken out say nothing. */
const fewestBesides = 6;

/** @param turn its whole turn, as what is named in one sentence may stand in the next */
export function screenStatement(
  statement: TurnStatement,
  turn: ScreenedText,
  policies: DetectionPolicies,
): ScreenedStatement {
  const quoted = screenText(statement.sentence.text, policies);
  const text = screenText(statement.text, policies);
  const found = [...quoted.classes, ...text.classes];
  const isRefused =
    [quoted, text].some(({ policy }) => policy === "refuse") ||
    heldRefused(statement.sentence.text) ||
    (turn.policy === "refuse" && holdsPart(statement, turn.text));
  const isBare = found.length > 0 && statement.words.length < fewestBesides + found.length;
  const withheld = statement.takesBack || statement.isWithheld;
  const reason = isRefused
    ? "SECRET"
    : (statement.refusal ?? (isBare ? "PERSONAL_DATA" : statement.pattern === undefined ? "VAGUE" : undefined));
  const hidden = withheld || isRefused;
  const { offered } = statement;
  return {
    statement,
    offered: offered && { ...offered, quote: hidden ? "" : screenText(offered.quote, policies).text },
    text: hidden ? "" : text.text,
    quote: hidden ? "" : quoted.text,
    isQuarantined: [quoted, text].some(({ policy }) => policy === "quarantine"),
    reason,
  };
}

/** Whether a sentence is no longer in its turn once secrets are out. */
function holdsPart({ sentence }: TurnStatement, screened: string): boolean {
  return !screened.includes(sentence.text);
}

/** A statement as the checks take it that what a model proposes goes through, too. */
export function foundOf({
  turn,
  sentence,
  offered,
  text,
  explainedBy,
  pattern,
  isAnswer,
}: TurnStatement): FoundCandidate {
  const said = { turn: turn.turn, start: sentence.start, end: sentence.end };
  const evidence = offered === undefined ? [said] : [said, offered];
  return {
    text,
    slot: null,
    value: null,
    tags: [],
    evidence,
    explainedBy,
    fewestWords: isAnswer ? fewestBehindQuestion : fewestWordsOf(pattern),
  };
}

/** The question tells what it is about. */
const fewestBehindQuestion = 2;
/** A rule has nobody in it: `never force-push to trunk`. */
const fewestOfRules = 2;

function fewestWordsOf(pattern: StatementPattern | undefined): number {
  if (pattern?.isEnough === true) return 0;
  return pattern?.kind === "instinct" ? fewestOfRules : fewestWords;
}

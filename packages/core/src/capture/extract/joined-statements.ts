import { facetsOf } from "../judge/facets.ts";
import { withoutLeadWords } from "./lead-words.ts";
import { namesSomebody } from "./named-somebody.ts";
import { isAboutPerson, isAboutPronoun } from "./pronouns.ts";
import { isNoSentence } from "./without-subject.ts";
import { inThirdPerson } from "./third-person.ts";
import type { TurnStatement } from "./turn-statement.ts";

/** A sentence that goes on about what the one before it says is part of its statement, as long as both are no longer than this. */
const longestJoined = 200;

/** The statements, with those that go on about what the one before them says as a part of it. */
export function joinedInTurn(statements: readonly TurnStatement[]): readonly TurnStatement[] {
  const joined: TurnStatement[] = [];
  for (const statement of statements) {
    const before = joined.at(-1);
    if (before !== undefined && belongTogether(before, statement))
      joined[joined.length - 1] = together(before, statement);
    else joined.push(statement);
  }
  return joined;
}

function belongTogether(left: TurnStatement, right: TurnStatement): boolean {
  const areStated = [left, right].every(({ pattern, refusal }) => pattern !== undefined && refusal === undefined);
  const ends = [left, right].some(({ said }) => facetsOf(said).tellsEnd);
  const isSaidOfIt = isAboutPronoun(right.words) || (isNoSentence(right.words) && right.context !== undefined);
  const goesOn = isSaidOfIt && left.pattern?.kind === right.pattern?.kind && !isOfSomebodyElse(left, right);
  return (
    areStated && goesOn && !ends && left.turn === right.turn && left.text.length + right.said.length < longestJoined
  );
}

/** `Rasagiline 1 mg in the morning. He can't have ibuprofen`: of whom, the first does not say. */
function isOfSomebodyElse(left: TurnStatement, right: TurnStatement): boolean {
  return isAboutPerson(right.words) && !namesSomebody(left.words) && !isAboutPronoun(left.words);
}

function together(left: TurnStatement, right: TurnStatement): TurnStatement {
  const pattern =
    left.pattern?.kind === "instinct" || right.pattern?.kind !== "instinct" ? left.pattern : right.pattern;
  const end = /[.!?]$/.test(left.text) ? " " : ". ";
  return {
    ...left,
    pattern,
    text: left.text + end + inThirdPerson(withoutLeadWords(right.said), "user", right.company),
    said: `${left.said} ${right.said}`,
    words: [...left.words, ...right.words],
    sentence: {
      ...left.sentence,
      text: left.turn.content.slice(left.sentence.start, right.sentence.end),
      end: right.sentence.end,
    },
    isCorrection: left.isCorrection || right.isCorrection,
  };
}

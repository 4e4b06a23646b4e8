import type { StatementPattern } from "./grammar/statement-pattern.ts";

/** A way to say something that no phrase tells, only what stands around it. */
function unphrased(
  name: string,
  category: StatementPattern["category"],
  rest: Pick<StatementPattern, "isStanding" | "isWeak" | "isEnough"> = {},
): StatementPattern {
  const kind = category === "procedure" ? "instinct" : "semantic";
  return { name, kind, category, phrases: [], examples: [], counterExamples: [], ...rest };
}

/** How an answer to a question is taken. */
export const answerPattern: StatementPattern = unphrased("answer to a question", "fact");

/** Which of the things that the assistant asks about the user takes. */
export const chosenPattern: StatementPattern = unphrased("one of the things asked about", "decision");

/** What the assistant offers to do whenever it comes up, and the user takes. */
export const acceptedRule: StatementPattern = unphrased("offer of what always holds", "procedure", {
  isStanding: true,
});

/** What the assistant offers to do once, and says of when or how much. */
export const acceptedChoice: StatementPattern = unphrased("accepted offer", "decision");

/** Who or what takes the place of what is over: `Dr Holm retired. The young one, Dr Lind.` */
export const successorPattern: StatementPattern = unphrased("in the place of another", "entity");

/** What the assistant says again. */
export const restatedPattern: StatementPattern = unphrased("said again by the assistant", "decision");

/** What the assistant is asked to keep in mind, however it is said. */
export const toldPattern: StatementPattern = unphrased("told to be kept in mind", "fact", { isEnough: true });

/** What corrects the assistant and holds for all such work. */
export const correctedRule: StatementPattern = unphrased("correction that always holds", "procedure", {
  isStanding: true,
});

/** `Up and down in separate files please, always` */
export const standingRule: StatementPattern = unphrased("how it always is to be", "procedure", {
  isStanding: true,
  isEnough: true,
});

/** What corrects an answer, and is true instead. */
export const correctedFact: StatementPattern = unphrased("corrected fact", "fact");

/** Whom the user names by the way: `a party for my son Theo`. It takes nobody's place. */
export const namedPattern: StatementPattern = unphrased("named by the way", "entity", { isStanding: true });

/** What the speaker does, in the simple present: `we validate by hand`. */
export const whatOneDoes: StatementPattern = unphrased("what one does", "fact", { isWeak: true });

/** What the speaker does again and again, in as few words as there are: `I keep bees`. */
export const plainHabit: StatementPattern = unphrased("plain habit", "fact", { isWeak: true, isEnough: true });

/** A rule without a verb, by what it is of: `naming: snake_case for files`. */
export const labelledRule: StatementPattern = unphrased("how something is to be, by its label", "procedure", {
  isEnough: true,
});

/** How things work where an agent works: `the tests run in the container`. */
export const howThingsWork: StatementPattern = unphrased("how things work", "fact", { isWeak: true });

/** What is left to do of an agent's work. */
export const leftToDoPattern: StatementPattern = unphrased("left to do", "fact", { isStanding: true, isEnough: true });

/** What fixed something, as the assistant told and the user confirmed. It takes nothing's place. */
export const remedyPattern: StatementPattern = unphrased("confirmed remedy", "fact", {
  isStanding: true,
  isEnough: true,
});

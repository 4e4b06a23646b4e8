import type { RememberInput } from "@loci/loci";
import { randomNumbers } from "../data/random.ts";

/** The scopes of one person at work: nearly all memories are in the first. */
export const scopes = ["user:ada", "agent:helper", "global"] as const;

/** When all questions are asked. */
export const evaluationTime = 1_800_000_000_000;

const syllables = [
  "ba",
  "del",
  "fir",
  "gon",
  "hal",
  "kim",
  "lor",
  "mu",
  "nes",
  "pol",
  "ra",
  "sid",
  "tur",
  "vel",
  "wen",
  "zo",
];
const vocabularySize = 4_000;
const firstTime = 1_790_000_000_000;

function word(number: number): string {
  const parts: string[] = [];
  for (let rest = number + 16; rest > 0; rest = Math.floor(rest / 16)) parts.push(syllables[rest % 16] as string);
  return parts.join("");
}

/** Words as rare as those of a language are: the n-th is about n times as rare as the first. */
function sentenceOf(random: () => number, words: number): string {
  const pick = (): string => word(Math.floor(vocabularySize ** random()) - 1);
  return Array.from({ length: words }, pick).join(" ");
}

/** Facts, turns of conversations and procedures with tags, the same for the same count. */
export function madeUpMemories(count: number): readonly RememberInput[] {
  const random = randomNumbers(18);
  return Array.from({ length: count }, (_, number): RememberInput => {
    const text = `${sentenceOf(random, 14)} in case ${number}`;
    const createdAt = firstTime + number * 60_000;
    const scope = scopes[number % 10 < 8 ? 0 : number % 10 < 9 ? 1 : 2];
    if (number % 50 === 0)
      return { text, scope, createdAt, category: "procedure", tags: [word(number % 40), "upkeep"] };
    if (number % 4 !== 0) return { text, scope, createdAt };
    const provenance = {
      kind: "conversation",
      sourceId: `chat-${number % 100}`,
      position: Math.floor(number / 100),
    } as const;
    return { text, scope, createdAt, provenance };
  });
}

/** Questions with words of the memories, none asked twice. */
export function madeUpQuestions(count: number): readonly string[] {
  const random = randomNumbers(81);
  return Array.from({ length: count }, (_, number) => `What of ${sentenceOf(random, 5)}, number ${number}?`);
}

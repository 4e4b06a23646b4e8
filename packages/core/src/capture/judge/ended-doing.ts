import { clausesOf } from "../extract/sentences.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { sharedIn } from "./set-relations.ts";
import { rootOf, topicsOf } from "./topics.ts";

/** What somebody does no more, and with what: `I stopped learning chess`. */
export interface EndedDoing {
  readonly verb: string;
  readonly objects: ReadonlySet<string>;
}

/** `learning`, but not `ring`. */
const doing = /^\p{L}{2,20}ing$/u;
const ending: ReadonlySet<string> = new Set("stopped stop stops quit quits finished ended".split(" "));
const givingUp: ReadonlySet<string> = new Set("gave given giving give".split(" "));
/** Behind these it is told why, when or what for. */
const behindObjects: ReadonlySet<string> = new Set(
  "to because since when after before while and but so as for until till due then".split(" "),
);
/** What other things are of: who stopped drinking alcohol drinks no beer. */
const kinds: ReadonlySet<string> = new Set(
  `all alcohol altogether animals anything books caffeine carbs completely dairy entirely everything fish fruit games gluten instruments it languages
  meat music pills sport sports sugar sweets that them these things this those totally vegetables`.split(/\s+/u),
);
/** In words. */
const mostObjects = 5;

/** What a statement says is done no more, if it names with what. Linear in its length. */
export function endedDoingOf(said: string): EndedDoing | undefined {
  for (const { text } of clausesOf(said)) {
    const words = wordsOf(text);
    const place = words.findIndex((word, index) => doing.test(word.text) && isEnded(words, index));
    if (place >= 0) return objectsBehind(words, place);
  }
  return undefined;
}

function objectsBehind(words: readonly Word[], place: number): EndedDoing | undefined {
  const behind = words.slice(place + 1, place + 1 + mostObjects);
  const end = behind.findIndex(({ text }) => behindObjects.has(text));
  const named = end < 0 ? behind : behind.slice(0, end);
  const objects = topicsOf(named.map(({ raw }) => raw).join(" "));
  if (objects.size === 0 || named.some(({ text }) => kinds.has(text))) return undefined;
  return { verb: rootOf(words[place]?.text ?? ""), objects };
}

/** `stopped learning`, `gave up learning`, `done with learning` */
function isEnded(words: readonly Word[], index: number): boolean {
  const [last = "", before = ""] = [words[index - 1]?.text, words[index - 2]?.text];
  return (
    ending.has(last) ||
    (last === "up" && givingUp.has(before)) ||
    (last === "with" && (before === "done" || before === "finished"))
  );
}

/** Whether that is done with other things than those a memory is about: who stopped learning chess may go on learning Spanish. */
export function isOfOtherThings({ verb, objects }: EndedDoing, topics: ReadonlySet<string>): boolean {
  return topics.size > 1 && topics.has(verb) && sharedIn(objects, topics) === 0;
}

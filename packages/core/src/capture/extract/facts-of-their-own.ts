import { endingsOf } from "../judge/endings.ts";
import { facetsOf } from "../judge/facets.ts";
import { hasVerb } from "./finite-verbs.ts";
import { withoutLeadWords } from "./lead-words.ts";
import { contentOf } from "./read-clause.ts";
import type { TurnReader } from "./turn-reader.ts";
import type { Sentence } from "./sentences.ts";
import { wordGroups } from "./word-groups.ts";
import { wordsOf } from "./words.ts";

const ownSubject = String.raw`(?:I|I['\u2019]m|I['\u2019]ve|we|we['\u2019]re|my|our) `;
const notOfOneself = String.raw`(?!(?:it|that|this|there|they|which|who|what|she|he|we|you|but|so|and|or|not|as) )`;
const otherSubject = String.raw`(?:(?:the|my|our|their) )?${notOfOneself}\p{L}{3,30} (?:is|are|was|were) `;
const namedSubject = String.raw`\p{Lu}\p{L}{1,30} (?:${[...(wordGroups["does"] ?? [])].join("|")}) `;
const joint = new RegExp(
  String.raw`,? and (?=${ownSubject}|(?:the|their) (?:\p{L}{2,30} )?\p{L}{3,30} (?:is|are|was|were|runs|has) |${namedSubject})|, (?=${otherSubject})|(?<loose>, )(?=${ownSubject})`,
  "gu",
);
/** `We fly to Japan, me, my wife and our two kids`: who they are, one by one. */
const listed = /, (?:just |only )?(?:me|myself)(?:,|$)/iu;
/** `This is Marta from Brightleaf` points to nothing. */
const introduced = /^(?:(?:hi|hello|hey),? )?this is (?=\p{Lu})/u;
/** In UTF-16 units: a longer one tells a story. */
const longestOfTwo = 320;
/** Where a sentence is tried to be parted. */
const mostJoints = 4;

/**
 * `I live in Utrecht and I work as a nurse` are two facts, of which one may end without the other. Only where both halves are facts
 * by themselves.
 */
export function factsOfTheirOwn(sentence: Sentence, read: TurnReader): readonly [Sentence, Sentence?] {
  const { text, start, end } = sentence;
  if (text.length > longestOfTwo || text.endsWith("?")) return [sentence];
  for (const found of [...text.matchAll(joint)].slice(0, mostJoints)) {
    if (listed.test(text.slice(0, found.index))) continue;
    const middle = start + found.index;
    const behind = middle + found[0].length;
    const halves: readonly [Sentence, Sentence] = [
      { text: text.slice(0, found.index), start, end: middle },
      { text: text.slice(found.index + found[0].length), start: behind, end },
    ];
    const areFacts = halves.every((half) => {
      const { pattern, refusal } = read(half);
      return (
        pattern?.kind === "semantic" &&
        refusal === undefined &&
        isLongEnough(half) &&
        (found.groups?.["loose"] === undefined || standsAlone(half))
      );
    });
    if (areFacts) return halves;
  }
  return [sentence];
}

/** It names something or somebody, points to nothing that was said before, and tells of no change, of which the other half may be a part. */
function standsAlone(half: Sentence): boolean {
  const text = half.text.replace(introduced, "I am ");
  const words = wordsOf(text);
  // `Since 2021` tells of how it is.
  const { tellsChange, person } = facetsOf(text.replaceAll(/(?<!\p{L})since(?!\p{L})/giu, ""));
  return (
    (contentOf(words).isConcrete || person !== undefined) &&
    (hasVerb(words) || ofOneself.test(text)) &&
    !tellsChange &&
    endingsOf(text).length === 0 &&
    !words.some((word) => pointing.has(word.text))
  );
}

const ofOneself = new RegExp(`^${ownSubject}`, "iu");
const pointing: ReadonlySet<string> = new Set(
  "it that this them those these there then one ones not having".split(" "),
);

/** `Paul is vegetarian` is a fact, `my husband Paul, 40` somebody. */
function isLongEnough(half: Sentence): boolean {
  const [first, ...others] = wordsOf(withoutLeadWords(half.text).split(",", 1)[0] as string);
  return others.length >= (first?.text === "my" || first?.text === "our" ? 3 : 2);
}

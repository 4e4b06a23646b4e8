import { leftToDoSlot } from "./left-to-do.ts";
import { wordGroups } from "./word-groups.ts";

/** What a statement is the value of. */
export interface SlotValue {
  readonly slot: string;
  readonly value: string;
}

/** A way in which a slot gets its value. */
export interface SlotPattern {
  readonly name: string;
  /** With the group `value`, and `slot` when `slot` is not given. Tried on text in the third person. */
  readonly find: RegExp;
  readonly slot?: string;
  readonly examples: readonly string[];
  readonly counterExamples: readonly string[];
}

/** In the order in which they are tried. */
export const slotPatterns: readonly SlotPattern[] = [
  {
    name: "name",
    slot: "name",
    find: /\b(?:the user's name is|the user is called) (?<value>\p{Lu}[\p{L}-]{1,40})/iu,
    examples: ["The user's name is Lina"],
    counterExamples: ["The user's dog is Pixel"],
  },
  {
    name: "what to be called",
    // Another slot than the name, which somebody keeps whatever they are called.
    slot: "form of address",
    // Names only: `call the user on the phone`, `never call the user before noon`.
    find: /\b(?:[Cc]all(?:ed)? the user|the user (?:goes by|prefers to be called|would like to be called)) (?<value>\p{Lu}[\p{L}-]{1,40})/u,
    examples: [
      "Please call the user Lina",
      "The user would rather the assistant called the user Lina",
      "Now the user goes by Lina",
    ],
    counterExamples: ["Call the user on the phone", "Never call the user before noon", "The user goes by bus"],
  },
  {
    name: "employer",
    slot: "employer",
    find: /\bthe user (?:works at|works for|joined|starts at|started at) (?<value>[\p{Lu}][\p{L}\p{N}&' -]{1,40})/u,
    examples: ["Now the user works at Corvid"],
    counterExamples: ["The user works at night"],
  },
  {
    name: "home",
    slot: "home",
    find: /\bthe user (?:lives in|moved to|lives at) (?<value>[\p{Lu}][\p{L}' -]{1,40})/u,
    examples: ["Now the user lives in Oslo"],
    counterExamples: ["The user lives in fear"],
  },
  {
    name: "allergy",
    slot: "allergies",
    find: /\bthe user (?:is|has always been|is also) (?:\p{L}+ )?allergic to (?<value>[^,.;:!?]{2,60})/iu,
    examples: ["The user is allergic to hazelnuts"],
    counterExamples: ["The user's son is allergic to cats"],
  },
  {
    name: "language of answers",
    slot: "answer language",
    find: /\b(?:answers?|reply|replies|responds?|explains?|write|speak|talk)\b[^.;:!?]{0,30}\bin (?<value>English|German|French|Spanish|Italian|Portuguese|Dutch|Polish|Czech|Japanese|Chinese|Korean|Russian|Turkish|Swedish|Norwegian|Danish|Finnish|Greek|Arabic|Hindi)\b/iu,
    examples: ["Please always answer in German"],
    counterExamples: ["The user works in German schools", "The team speaks in English at work"],
  },
  {
    name: "called",
    find: /\b(?:the user's|the team's|the family's) (?:new |current )?(?<slot>[\p{L}-]{2,20}(?: [\p{L}-]{2,20})?) (?:is|are) (?:now )?(?:called|named) (?<value>\p{Lu}[\p{L}\p{N}' -]{1,40})/iu,
    examples: ["The user's wife is called Noor"],
    counterExamples: ["The user's wife is tired"],
  },
  {
    name: "what is left to do",
    slot: leftToDoSlot,
    find: /^Left to do: (?<value>[^]{1,60})/u,
    examples: ["Left to do: the seed script"],
    counterExamples: ["There is nothing left to do: the seed script is in"],
  },
  {
    name: "thing of somebody",
    find: /(?<!\bof )\b(?:the user's|the team's|the family's|the) (?:new |current )?(?<slot>[\p{L}-]{2,20}(?: [\p{L}-]{2,20})?) (?:is|are) (?:now )?(?!not )(?<value>[^,.;:!?]{1,60})/u,
    examples: ["Then the launch date is 1 June", "Since May the team's CI runners are ARM"],
    counterExamples: ["It is late", "Two of the kids are vegan", "The party is not ten kids"],
  },
  {
    name: "thing before a colon",
    find: /^(?<slot>\p{L}[\p{L}-]{2,20}(?: [\p{L}-]{3,20})?): (?<value>[^,.;:!?]{1,60})/u,
    examples: ["Filters: size 287 by 361", "Venue: the old mill"],
    counterExamples: ["Filters of size 3"],
  },
];

/** Whoever is spoken of is no slot: `the user is at 96 kg` and `the user is always nervous` are no two values of one thing. */
const people: ReadonlySet<string> = new Set(
  "user users team family assistant project people somebody only one first last same".split(" "),
);

/** `The name is Eliquis` tells neither whose name it is nor that it is the user's. */
const ofWhom: ReadonlySet<string> = new Set(["name"]);

/** What leads to what is said names nothing that it is the value of: `Which day: Sundays`, `One more: …`, `Big news: …` */
const leading: ReadonlySet<string> = new Set(
  "which what who whom whose when where why how really one two another big good bad great quick called told asked said sorry yes no so and also btw ps update news note reminder remember fyi correction question lesson lessons rule noted done todo".split(
    " ",
  ),
);

/** `The physio is great` gives a thing no value. */
const praise: ReadonlySet<string> = wordGroups["mood"] ?? new Set();

function isNamed(slot: string, value: string): boolean {
  return !people.has(slot) && !leading.has(slot.split(" ")[0] ?? "") && !praise.has(value.toLowerCase());
}

/** The slot that a text in the third person fills, and with what. `undefined`: none that is known by its form. */
export function slotValueOf(text: string): SlotValue | undefined {
  for (const { find, slot } of slotPatterns) {
    const groups = find.exec(text)?.groups;
    const value = groups?.["value"]?.trim();
    const named = slot ?? (groups?.["slot"] ?? "").toLowerCase();
    if (slot === undefined && ofWhom.has(named)) continue;
    if (value !== undefined && value !== "" && isNamed(named, value)) return { slot: named, value };
  }
  return undefined;
}

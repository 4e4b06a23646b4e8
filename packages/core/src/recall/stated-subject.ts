/** What a short text in English says something of, and what it says. */
export interface StatedSubject {
  /** Its words but for articles and the like: `server gamma`, `module 5`, `anna`. */
  readonly subject: readonly string[];
  /** From its verb on. */
  readonly rest: readonly string[];
}

const auxiliaries: ReadonlySet<string> = new Set(
  "is are was were has have had will can may must should does do costs".split(" "),
);
/** In the third person: `runs`, `pays`, and not `class`, `status`, `this`. */
const thirdPerson = /^[a-z]{2,}[^siu']s$/u;
const determiners: ReadonlySet<string> = new Set("the a an my our your his her its their".split(" "));
/** They name nothing: with them a text speaks of somebody or something that is known. */
const pronouns: ReadonlySet<string> = new Set(
  "i i'm i've i'd i'll we we're we've you he she it it's they this that there here who what".split(" "),
);
/** These stand before what a subject is, and leave it open which one. */
const describing: ReadonlySet<string> = new Set(
  "favourite favorite preferred current present main primary default usual new old former next last latest only own best".split(
    " ",
  ),
);
/** In words. */
const longestSubject = 5;
/** Only so many UTF-16 units are looked at. */
const lookedAt = 300;

/**
 * `The server gamma runs Debian`: of whom or what a text speaks. `undefined` for orders, for what is said of the speaker, and where no verb
 * is found. Takes time linear in at most 300 characters.
 */
export function statedSubject(text: string): StatedSubject | undefined {
  const words = text
    .slice(0, lookedAt)
    .toLowerCase()
    .replaceAll("\u2019", "'")
    .split(/[^\p{L}\p{N}'-]+/u);
  const end = words.findIndex((word, place) => auxiliaries.has(word) || (place > 0 && thirdPerson.test(word)));
  if (end < 1 || end > longestSubject) return undefined;
  const subject = words.slice(0, end);
  if (subject.some((word) => pronouns.has(word))) return undefined;
  return { subject: subject.filter((word) => !determiners.has(word)), rest: words.slice(end) };
}

/**
 * Whether two texts say different things of different subjects of one kind: `Module 5 sends mail`, `Module 30 checks tokens`. What says the
 * same of another one may be news, `Ann runs billing`, `Ben runs billing`, and so may what says something else of the same.
 */
export function areOfDifferentThings(one: StatedSubject | undefined, other: StatedSubject | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const { subject, rest } = one;
  if (subject.length !== other.subject.length) return false;
  const places = subject.flatMap((word, place) => (word === other.subject[place] ? [] : [place]));
  const [place] = places;
  if (place === undefined || places.length > 1 || rest.join(" ") === other.rest.join(" ")) return false;
  const [left = "", right = ""] = [subject[place], other.subject[place]];
  if (/\d|'s$/u.test(left) && /\d|'s$/u.test(right)) return true;
  return rest[0] === other.rest[0] && place === subject.length - 1 && !subject.some((word) => describing.has(word));
}

import { wordsOf } from "./words.ts";

/** Small words of other languages that are none of English. */
const foreign: ReadonlySet<string> = new Set(
  `und ist nicht ein eine einen für mit ich wir uns mein meine auf auch dem sind haben habe kein keine bitte
   gegen oder aber nach weil heisst heißt wohne arbeite unser unsere noch schon wird werden bist
   lunes martes jueves viernes lundi mardi mercredi jeudi vendredi
   los las que mi es una por con para pero muy yo soy está tengo llamo vivo
   je mon est une avec qui sur dans pas et il elle nous vous aux sont suis chez
   het een ik mijn niet voor woon naam hebben heeft zijn naar ook maar geen wij deze twee
   io mio mia sono che
   meu minha não uma
   och jag att inte jeg har er på som bor heter
   jestem nie mam mój moja się
   hai mein hoon mera meri mujhe nahi`.split(/\s+/u),
);
/** These stand in names as well, `Rue de la Gare`, or are words of English, and tell a language only beside another one. */
const inNames: ReadonlySet<string> = new Set(
  "der die das des den von am im zu el la le les de du del di della da al au van dos das y e en bin ben war dat".split(
    " ",
  ),
);
/** Small words of English that are none of the others. */
const english: ReadonlySet<string> = new Set(
  `i my the is are have has had we our and of to with for from at you your not do does did it its this that these those they their he
   his she her be been will would can could should there what when which who but if by about only always never near then`.split(
    /\s+/u,
  ),
);
/** Of these the ones that are Dutch, too: beside a word that is Dutch alone they tell nothing. */
const alsoDutch: ReadonlySet<string> = new Set("is we of".split(" "));
const dutch: ReadonlySet<string> = new Set(
  "het een ik mijn niet voor hebben heeft zijn naar ook maar geen wij deze twee".split(" "),
);

/** One small word may be a name. In words. */
const fewest = 2;
/** Shorter sentences are answers and names: `est`, `ok bin`. In words. */
const fewestOfSentence = 3;
/** In a share of the letters. */
const mostOfOtherScript = 0.5;

/**
 * Whether a sentence is hardly English: it is written in another script, or has more small words of other languages than of English.
 * Names and titles of other languages in an English sentence are no matter. Linear in its length.
 */
export function isInAnotherLanguage(sentence: string): boolean {
  const words = wordsOf(sentence);
  const isDutch = words.some(({ text }) => dutch.has(text));
  const known = words.filter(({ text }) => english.has(text) && !(isDutch && alsoDutch.has(text))).length;
  const letters = sentence.match(/\p{L}/gu)?.length ?? 0;
  const latin = sentence.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters - latin > letters * mostOfOtherScript) return known < fewest && letters > fewestOfSentence;
  // What has a capital is a name, but for the first word.
  const small = words.filter(({ raw }, index) => index === 0 || raw === raw.toLowerCase());
  const others = small.filter(({ text }) => foreign.has(text)).length;
  if (others === 0) return false;
  const all = others + small.filter(({ text }) => inNames.has(text)).length;
  return all > known && (all >= fewest || (known === 0 && words.length >= fewestOfSentence));
}

import { englishAnalyser } from "../../text/text-analyser.ts";

/** So many characters, so that words of little meaning in most languages are left out. Numbers may be shorter. */
const shortest = 4;
const mostWords = 24;

/** Words that stand in many sentences on whatever subject, in the languages that sentences are read in. */
const silentWords: ReadonlySet<string> = new Set(
  `will have need want make take keep move chang please thank today tomorrow week month year time thing okay good great
  instead actual decid agre think said told just sure done confirm know
  monday tuesday wednesday thursday friday saturday sunday januari februari march april june juli august septemb octob
  novemb decemb euro dollar pound
  aber auch dann dass doch eine einen einer eines haben habe hatte jetzt kann mein meine nehmen nicht nichts noch oder schon
  sich sind soll über unser unsere wenn werden wird wurde bitte heute
  aussi avec avon avons avez cette dans elle est être fair faire mais nous notre pour prend prenons plus sont sur tout vous
  ahora como con cuando desde donde ella ellos esta este está están hace hacer hasta mejor nosotros para pero porque
  queremos sobre también tenemos todo vamos`.split(/\s+/),
);

/** The words of a sentence that tell what it is about, without those that many sentences have. */
export function tellingWords(sentence: string): readonly string[] {
  return englishAnalyser
    .terms(sentence, mostWords)
    .filter((word) => (word.length >= shortest || /^\p{N}+$/u.test(word)) && !silentWords.has(word));
}

/** What both are about. A digit alone says nothing of that. */
export function sharedWords(words: readonly string[], others: readonly string[]): readonly string[] {
  return words.filter((word) => word.length > 1 && others.includes(word));
}

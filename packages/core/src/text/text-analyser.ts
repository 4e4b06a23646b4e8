import { englishStem } from "./english-stem.ts";
import { scanTerms } from "./scan-terms.ts";
import { stopWords } from "./stop-words.ts";
import { loadWordRules, type TextLanguage } from "./text-language.ts";
import { WordTerms } from "./word-terms.ts";

/** How often each term stands in a text. */
export type TermFrequencies = ReadonlyMap<string, number>;

/**
 * Turns texts and questions into the terms they are found by. Whatever is indexed with one analyser must be asked for with
 * the same one.
 *
 * Terms are lower-case words without the language's stop words, stemmed, in English irregular forms and other spellings too; words of Chinese, Japanese, Korean and other
 * scripts without spaces as pairs of neighbouring characters. An identifier such as `ADR-007`, `user_id`,
 * `src/core/index.ts`, `v1.2.3` or `camelCase` counts whole and in its parts, and a word and the
 * number behind it, `Room 101`, as if they were one, `room-101`, too. Compatibility forms are folded, accents and invisible characters
 * ignored. A term is well-formed and has at most 128 UTF-16 units.
 *
 * Takes any string and time linear in its length; never throws.
 */
export interface TextAnalyser {
  readonly language: TextLanguage;
  /** Larger whenever a text is given other terms than before: indexes of another version have to be built again. */
  readonly version: number;
  /** The terms of a text that is to be found, and how often each stands in it. */
  analyse(text: string): TermFrequencies;
  /**
   * The terms of a question: those that `analyse` finds, each once, in order of appearance. Empty when it holds nothing but
   * stop words. A question is data: no character in it is an operator.
   *
   * @param most terms that are wanted: the first. Default: all
   */
  terms(question: string, most?: number): readonly string[];
}

/**
 * 2: words are found in full case folding, `ß` as `ss`. 3: irregular forms and two spellings of English words are one term. 4: words
 * are found without their accents, and a word and the number behind it as one, too.
 */
const analyserVersion = 4;

/** The default. */
export const englishAnalyser: TextAnalyser = analyserOf(
  "english",
  new WordTerms({ stopWords, stemmed: /^[a-z]+$/, stem: englishStem }),
);

/** @throws LociError `INVALID_CONFIGURATION` for a language that is not known */
export async function loadTextAnalyser(language: TextLanguage = "english"): Promise<TextAnalyser> {
  return language === "english" ? englishAnalyser : analyserOf(language, new WordTerms(await loadWordRules(language)));
}

function analyserOf(language: TextLanguage, words: WordTerms): TextAnalyser {
  return {
    language,
    version: analyserVersion,
    analyse: (text) => {
      const frequencies = new Map<string, number>();
      scanTerms(text, words, (term) => frequencies.set(term, (frequencies.get(term) ?? 0) + 1));
      return frequencies;
    },
    terms: (question, most = Infinity) => {
      const terms = new Set<string>();
      scanTerms(
        question,
        words,
        (term) => {
          if (terms.size < most) terms.add(term);
        },
        () => terms.size >= most,
      );
      return [...terms];
    },
  };
}

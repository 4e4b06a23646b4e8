import { LociError, shownText } from "@loci/domain";
import { foldText } from "./fold-text.ts";
import { foldCase, type WordRules } from "./word-terms.ts";

/** Languages whose words are found in all their forms. `none`: words are found only as they are written, apart from case. */
export type TextLanguage = "english" | "none" | SnowballLanguage;

type SnowballLanguage =
  | "danish"
  | "dutch"
  | "finnish"
  | "french"
  | "german"
  | "hungarian"
  | "italian"
  | "norwegian"
  | "portuguese"
  | "romanian"
  | "russian"
  | "spanish"
  | "swedish"
  | "turkish";

interface Stemmer {
  readonly stemmer: (word: string) => string;
}

interface StopWords {
  readonly stopwords: readonly string[];
}

/** Languages with a stemmer of the Snowball family. Loaded when they are asked for. */
const snowball: Readonly<Record<SnowballLanguage, () => Promise<readonly [Stemmer, StopWords]>>> = {
  danish: () => Promise.all([import("@orama/stemmers/danish"), import("@orama/stopwords/danish")]),
  dutch: () => Promise.all([import("@orama/stemmers/dutch"), import("@orama/stopwords/dutch")]),
  finnish: () => Promise.all([import("@orama/stemmers/finnish"), import("@orama/stopwords/finnish")]),
  french: () => Promise.all([import("@orama/stemmers/french"), import("@orama/stopwords/french")]),
  german: () => Promise.all([import("@orama/stemmers/german"), import("@orama/stopwords/german")]),
  hungarian: () => Promise.all([import("@orama/stemmers/hungarian"), import("@orama/stopwords/hungarian")]),
  italian: () => Promise.all([import("@orama/stemmers/italian"), import("@orama/stopwords/italian")]),
  norwegian: () => Promise.all([import("@orama/stemmers/norwegian"), import("@orama/stopwords/norwegian")]),
  portuguese: () => Promise.all([import("@orama/stemmers/portuguese"), import("@orama/stopwords/portuguese")]),
  romanian: () => Promise.all([import("@orama/stemmers/romanian"), import("@orama/stopwords/romanian")]),
  russian: () => Promise.all([import("@orama/stemmers/russian"), import("@orama/stopwords/russian")]),
  spanish: () => Promise.all([import("@orama/stemmers/spanish"), import("@orama/stopwords/spanish")]),
  swedish: () => Promise.all([import("@orama/stemmers/swedish"), import("@orama/stopwords/swedish")]),
  turkish: () => Promise.all([import("@orama/stemmers/turkish"), import("@orama/stopwords/turkish")]),
};

/** Every language that texts can be analysed in. */
export const textLanguages: readonly TextLanguage[] = [
  "english",
  "none",
  ...(Object.keys(snowball) as SnowballLanguage[]),
];

/** @throws LociError `INVALID_CONFIGURATION` for a language that is not known */
export async function loadWordRules(language: Exclude<TextLanguage, "english">): Promise<WordRules> {
  if (language === "none") return { stopWords: new Set(), stemmed: /(?!)/, stem: (term) => term };
  if (!Object.hasOwn(snowball, language))
    throw new LociError("INVALID_CONFIGURATION", {
      message: `language is ${shownText(String(language))}, which is not known.`,
      field: "language",
      advice: `Use one of ${textLanguages.join(", ")}.`,
    });
  const [{ stemmer }, { stopwords }] = await snowball[language]();
  return {
    // Folded like the texts they are looked for in.
    stopWords: new Set(stopwords.map((word) => foldCase(foldText(word)))),
    stemmed: /^\p{L}+$/u,
    stem: stemmer,
  };
}

/**
 * Longest run of combining marks that is kept. Unicode's own limit for text that can be normalised in a stream
 * (UAX 15, section 13); real words have at most a handful.
 */
const maxCombiningMarks = 30;

// U+FF9E and U+FF9F are letters that decompose to combining marks.
const longMarkRuns = new RegExp(`([\\p{M}\\uff9e\\uff9f]{${maxCombiningMarks}})[\\p{M}\\uff9e\\uff9f]+`, "gu");
const ignorables = /\p{Default_Ignorable_Code_Point}+/gu;
/**
 * Anything that folding may change. Left out, besides ASCII: common letters, punctuation and emoji that it leaves as
 * they are, so that ordinary prose is not normalised. (A typographic apostrophe is replaced either way.)
 */
const foldable =
  /[^\0-\x7f\xa1-\xa7\xa9\xab\xac\xae\xb0\xb1\xb6\xb7\xbb\xbf-\u0131\u2013\u2014\u2018-\u201e\u2020-\u2022\u2190-\u21ff\u2713\u2714\u{1f300}-\u{1f64f}]/u;

/**
 * Makes texts that look alike equal: compatibility forms folded (NFKC: full-width letters, ligatures), invisible
 * characters removed, typographic hyphens and apostrophes as their ASCII ones.
 *
 * Linear in the length: `normalize` itself takes time quadratic in a run of combining marks (160,000 of them take it
 * most of a minute), so such runs are cut to 30. Lone surrogates stay.
 */
export function foldText(text: string): string {
  if (!foldable.test(text)) return text.replaceAll("\u2019", "'");
  return text
    .replaceAll(ignorables, "")
    .replaceAll(longMarkRuns, "$1")
    .normalize("NFKC")
    .replaceAll("\u2010", "-")
    .replaceAll("\u2019", "'");
}

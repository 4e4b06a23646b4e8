import { createRequire } from "node:module";

/** The part of TypeDoc's search library that is used here. */
interface SearchLibrary {
  readonly tokenizer: { separator: RegExp };
}

/** White space and every sign that stands in no name. */
const betweenWords = /[\s\-*()[\]{}"'`,;:/\\|=<>!?&]+/u;

/**
 * Makes TypeDoc's search index of words. By itself it splits at white space only, and a piece of code with an asterisk in it
 * becomes a word that the library takes for a pattern when it searches, and fails.
 */
export function indexWords(): void {
  // The one that TypeDoc itself loads.
  const library = createRequire(import.meta.resolve("typedoc"))("lunr") as SearchLibrary;
  library.tokenizer.separator = betweenWords;
}

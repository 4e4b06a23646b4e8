import { englishAnalyser, type TextAnalyser } from "../text/text-analyser.ts";

/** What a question is asked with. */
export interface QueryTagSource {
  readonly prompt: string;
  /** Names of the tools in use. Default none. */
  readonly tools?: readonly string[] | undefined;
}

/**
 * Which of the given tags a question names: those that stand in the prompt or the tools' names, whole or in one of
 * their hyphen parts, after stemming. `article-publication` is named by "publish the articles".
 *
 * @returns in lower case, each once, in the order given: what {@link compositeScoreParts} takes
 */
export function queryTags(
  source: QueryTagSource,
  tags: Iterable<string>,
  analyser: TextAnalyser = englishAnalyser,
): ReadonlySet<string> {
  const named = new Set([source.prompt, ...(source.tools ?? [])].flatMap((text) => analyser.terms(text)));
  const found = new Set<string>();
  for (const tag of tags) if (isNamed(tag.toLowerCase(), named, analyser)) found.add(tag.toLowerCase());
  return found;
}

function isNamed(tag: string, named: ReadonlySet<string>, analyser: TextAnalyser): boolean {
  if (named.has(tag)) return true;
  // A part of several words, such as that of the tag `deploy day`, is named when all its words are.
  return tag.split("-").some((part) => {
    const terms = analyser.terms(part);
    return terms.length > 0 && terms.every((term) => named.has(term));
  });
}

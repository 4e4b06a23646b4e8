import { analyseQuery } from "../text/analyse-text.ts";

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
export function queryTags(source: QueryTagSource, tags: Iterable<string>): ReadonlySet<string> {
  const named = new Set([source.prompt, ...(source.tools ?? [])].flatMap(analyseQuery));
  const found = new Set<string>();
  for (const tag of tags) if (isNamed(tag.toLowerCase(), named)) found.add(tag.toLowerCase());
  return found;
}

function isNamed(tag: string, named: ReadonlySet<string>): boolean {
  if (named.has(tag)) return true;
  // A part of several words, such as that of the tag `deploy day`, is named when all its words are.
  return tag.split("-").some((part) => {
    const terms = analyseQuery(part);
    return terms.length > 0 && terms.every((term) => named.has(term));
  });
}

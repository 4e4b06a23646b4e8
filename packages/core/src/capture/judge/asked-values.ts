import type { Facets } from "./facets.ts";
import { isSubset } from "./set-relations.ts";

/** What is known, as a question may ask for it. */
export interface AskedMemory {
  readonly facets: Facets;
  readonly slotTopics: ReadonlySet<string>;
}

/** `Which size` asks for the value of a shoe size. */
export function asksFor(asked: Facets, { slotTopics, facets }: AskedMemory): boolean {
  const head = [...slotTopics].at(-1);
  if (head === undefined || asked.numbers.size > 0 || facets.numbers.size !== 1) return false;
  const topics = [...asked.topics];
  const place = topics.indexOf(head);
  // `Which shirt size` asks for another one.
  const kind = topics[place - 1];
  return place >= 0 && (kind === undefined || slotTopics.has(kind) || facets.topics.has(kind));
}

/** `39, narrow heel` */
export function beginsWithNumber(said: string): boolean {
  return /^\d/.test(said);
}

/** `Which region are the nodes in, still Falkenstein` names the value of what is known, and what it is the value of. */
export function namesValueOf(asked: Facets, { facets, slotTopics }: AskedMemory): boolean {
  const { topics, surelyNamedTopics, numbers } = facets;
  const isValue =
    [...surelyNamedTopics].some((topic) => asked.topics.has(topic)) ||
    (numbers.size > 0 && isSubset(numbers, asked.numbers));
  return (
    isValue && [...topics, ...slotTopics].some((topic) => asked.topics.has(topic) && !surelyNamedTopics.has(topic))
  );
}

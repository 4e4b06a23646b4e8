import { type FilterComparison, LociError, type Metadata, utf8ByteLength } from "@loci/domain";
import { validateNamespace, type MatchCondition } from "@langchain/langgraph-checkpoint";

/** How many labels a namespace may have, and how long each may be, in bytes of UTF-8. */
const mostLabels = 16;
const mostLabelBytes = 200;

const fieldOf = (place: number): `ns${number}` => `ns${place}`;

/**
 * The metadata that a search by a question asks for. Declare it where Loci is opened, in `metadataFields` or the server's
 * configuration, and the index looks among the namespace alone; else up to 1,000 of the scope are looked at.
 */
export const lociStoreMetadata: Readonly<Record<string, "string">> = Object.fromEntries(
  Array.from({ length: mostLabels }, (_, place) => [fieldOf(place), "string"]),
);

/**
 * @throws InvalidNamespaceError as LangGraph's own stores
 * @throws LociError `INVALID_IDENTIFIER` for more labels, or longer ones, than a memory has room for
 */
export function checkNamespace(namespace: readonly string[], isPrefix = false): void {
  validateNamespace([...namespace], { allowEmpty: isPrefix, allowReservedRoot: true });
  const problem =
    namespace.length > mostLabels
      ? `has ${namespace.length} labels, but at most ${mostLabels} are kept`
      : namespace.map(labelProblem).find((found) => found !== undefined);
  if (problem === undefined) return;
  throw new LociError("INVALID_IDENTIFIER", {
    message: `The namespace ${problem}.`,
    field: "namespace",
    advice: `Use up to ${mostLabels} labels of 1 to ${mostLabelBytes} bytes of well-formed text.`,
  });
}

function labelProblem(label: string, place: number): string | undefined {
  if (!label.isWellFormed()) return `has half of a surrogate pair in label ${place}`;
  const bytes = utf8ByteLength(label);
  return bytes > mostLabelBytes ? `has ${bytes} bytes in label ${place}` : undefined;
}

/** Each label in a field of its own: joined, `["ab"]` would begin with `["a"]`. */
export function metadataOfNamespace(namespace: readonly string[]): Metadata {
  return Object.fromEntries(namespace.map((label, place) => [fieldOf(place), label]));
}

export function namespaceOf(metadata: Metadata): string[] {
  const namespace: string[] = [];
  for (let place = 0; place < mostLabels; place++) {
    const label = metadata[fieldOf(place)];
    if (typeof label !== "string") break;
    namespace.push(label);
  }
  return namespace;
}

/** What a namespace that begins with the labels has, for the server to look by. */
export function comparisonsOf(prefix: readonly string[]): readonly FilterComparison[] {
  return prefix.map((value, place) => ({ field: `metadata.${fieldOf(place)}`, operator: "equals", value }));
}

export function beginsWith(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= namespace.length && prefix.every((label, place) => namespace[place] === label);
}

/** @throws LociError `UNSUPPORTED_OPERATION` for another kind of condition */
export function matchesCondition(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (!["prefix", "suffix"].includes(matchType))
    throw new LociError("UNSUPPORTED_OPERATION", {
      message: "A condition on namespaces is neither a prefix nor a suffix.",
      field: "matchConditions",
      advice: 'Use { matchType: "prefix", path: [...] } or { matchType: "suffix", path: [...] }.',
    });
  if (path.length > namespace.length) return false;
  const first = matchType === "prefix" ? 0 : namespace.length - path.length;
  return path.every((label, place) => label === "*" || namespace[first + place] === label);
}

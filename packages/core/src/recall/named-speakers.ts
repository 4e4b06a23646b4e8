import { englishAnalyser, type TextAnalyser } from "../text/text-analyser.ts";

/**
 * Which of the speakers a question names: those one of whose words stands in it, after stemming. `Ada's new job` names
 * `Ada Lovelace`.
 */
export function namedSpeakers(
  question: string,
  speakers: ReadonlySet<string>,
  analyser: TextAnalyser = englishAnalyser,
): ReadonlySet<string> {
  if (speakers.size === 0) return speakers;
  const asked = new Set(analyser.terms(question));
  const named = new Set<string>();
  for (const speaker of speakers) if (analyser.terms(speaker).some((word) => asked.has(word))) named.add(speaker);
  return named;
}

/** Who said the turns among the memories. */
export function speakersOf(
  memories: Iterable<{ readonly provenance?: { readonly speaker?: string | undefined } | undefined }>,
): ReadonlySet<string> {
  const speakers = new Set<string>();
  for (const { provenance } of memories) if (provenance?.speaker !== undefined) speakers.add(provenance.speaker);
  return speakers;
}

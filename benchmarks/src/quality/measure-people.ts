import type { Embedder } from "@loci/embedding";
import { storedPeople } from "./conversation-data.ts";
import { readOffTopic } from "./labelled-data.ts";
import type { LabelledMeasure } from "./labelled-results.ts";
import { measureUnanswered } from "./measure-unanswered.ts";
import type { StoredConversation } from "./stored-conversation.ts";

/** Of the stores of people only: do what nothing in them answers, and what is asked of the world or to be done, find nothing? */
export async function measurePeople(embedder: Embedder): Promise<readonly LabelledMeasure[]> {
  const stores = storedPeople();
  const ofTheirs = await measureUnanswered("people", stores, embedder);
  const ofTheWorld = await measureUnanswered("people", stores.map(askedOfTheWorld), embedder);
  return [...ofTheirs, ...ofTheWorld.map((measure) => ({ ...measure, name: "of the world: nothing found" }))];
}

function askedOfTheWorld(store: StoredConversation): StoredConversation {
  const [{ asked = "" } = {}] = store.qas;
  const questions = readOffTopic().filter(({ kind }) => kind !== "near");
  return { ...store, qas: questions.map(({ question }) => ({ question, evidence: [], asked })) };
}

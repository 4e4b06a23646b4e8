import { fileURLToPath } from "node:url";
import type { Embedder } from "@loci/embedding";
import { importMarkdown } from "@loci/file-import";
import type { Loci, Memory } from "@loci/loci";
import { type OwnDocuments, type OwnStore, readOwnStores } from "./labelled-data.ts";
import type { LabelledMeasure } from "./labelled-results.ts";
import {
  joined,
  type Judged,
  judge,
  type LabelledQuestion,
  measured,
  rememberFacts,
  scope,
  type StoredTexts,
} from "./labelled-search.ts";
import { labelledTargets } from "./quality-targets.ts";
import { rememberTurns } from "./remember-turns.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** 60 questions over this project's documents, a tutoring chat, a coding chat and twelve facts: does one of the first three answer? */
export async function measureOwn(embedder: Embedder): Promise<readonly LabelledMeasure[]> {
  const stores = readOwnStores();
  const parts: Judged[] = [];
  for (const store of stores) {
    const [part] = await judge(embedder, (loci) => remembered(loci, store), questionsOf(store), 1);
    if (part !== undefined) parts.push(part);
  }
  const set = "own";
  return [
    measured(set, "an answer in the top 3", joined(parts), labelledTargets.own),
    ...parts.map((part, index) => measured(set, `– ${stores[index]?.store ?? ""}`, part)),
  ];
}

function questionsOf(store: OwnStore): readonly LabelledQuestion[] {
  const { asked, questions } = store;
  return questions.map(({ id, question, answers }) => ({
    id,
    text: question,
    asked,
    judge: (found) => [found.slice(0, 3).some((name) => answers.some((answer) => answersIt(name, answer)))],
  }));
}

/** A piece of a document is named by its source, a line break and its text; everything else by its id. */
function answersIt(name: string, answer: OwnStore["questions"][number]["answers"][number]): boolean {
  if (typeof answer === "string") return name === answer;
  return name.startsWith(`${answer.source}\n`) && name.includes(answer.holds);
}

async function remembered(loci: Loci, store: OwnStore): Promise<StoredTexts> {
  if ("paths" in store) return rememberDocuments(loci, store);
  return "turns" in store ? rememberTurns(loci, store) : rememberFacts(loci, store.facts);
}

async function rememberDocuments(loci: Loci, { paths }: OwnDocuments): Promise<StoredTexts> {
  await importMarkdown(loci, { paths: paths.map((path) => `${root}${path}`), scope, root });
  const memories: Memory[] = [];
  let pageToken: string | undefined;
  do {
    const page = await loci.memories.list({ scopes: [scope], pageSize: 1_000, pageToken });
    memories.push(...page.memories);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  const nameOf = ({ provenance, text }: Memory): string => `${provenance?.sourceId ?? ""}\n${text}`;
  return { texts: memories.map(({ text }) => text), names: memories.map(nameOf), nameOf };
}

import type { Embedder } from "@loci/embedding";
import { contextSizes, evidenceInContext, memoryForms } from "./context-evidence.ts";
import type { ConversationSet } from "./conversation-data.ts";
import { evidenceShares, type EvidenceShares } from "./evidence-share.ts";
import { plainBaseline, recentWordsBaseline } from "./plain-baseline.ts";
import { openTemporaryLoci, replay } from "./replay.ts";
import { defaultProfile } from "./shipped-profiles.ts";
import { fusedRanks, ranked, type StoreVariants, textOnly, vectorsOnly } from "./variants.ts";

/** What every question of a set came to, in the order of the set. */
export interface SetMeasurement {
  readonly set: ConversationSet["name"];
  /** For each question its kind, where the data says it of every one. */
  readonly kinds?: readonly string[];
  /** For each question the name of its conversation, where each is reported for itself. */
  readonly stores?: readonly string[];
  /** For each question whether variants were chosen by it: every other one of its conversation, from the first on. */
  readonly chosenOn: readonly boolean[];
  readonly baseline: readonly EvidenceShares[];
  /** By variant, the default profile first. */
  readonly variants: ReadonlyMap<string, readonly EvidenceShares[]>;
  /** The default profile's evidence in contexts of 512, 1,024 and 2,048 tokens, by form. For LoCoMo only. */
  readonly contexts: ReadonlyMap<string, readonly EvidenceShares[]>;
}

export interface MeasureQualityOptions {
  readonly stores: readonly StoreVariants[];
  readonly onProgress: (done: number, total: number) => void;
}

/** @param embedder the local one; it is not closed */
export async function measureQuality(
  set: ConversationSet,
  embedder: Embedder,
  { stores, onProgress }: MeasureQualityOptions,
): Promise<SetMeasurement> {
  const baseline: EvidenceShares[] = [];
  const variants = new Map<string, EvidenceShares[]>();
  const contexts = new Map<string, EvidenceShares[]>();
  const questions = set.conversations.reduce((sum, conversation) => sum + conversation.questions.length, 0);
  const total = questions * stores.length;
  let done = 0;

  const lists = new Map<string, (readonly string[])[]>();
  for (const store of stores) {
    let first = 0;
    await using loci = await openTemporaryLoci(store.embedder(embedder));
    for (const conversation of set.conversations) {
      await replay(loci, set, conversation, async (asked, index) => {
        const { evidence } = asked.question;
        for (const variant of store.variants) {
          const found = await ranked(asked, variant);
          entry(variants, variant.name)[first + index] = evidenceShares(found, evidence);
          if (variant.name === textOnly || variant.name === vectorsOnly)
            entry(lists, variant.name)[first + index] = found;
        }
        if (set.name === "locomo" && store.variants.includes(defaultProfile))
          for (const { name, layout } of memoryForms) {
            const shares: number[] = [];
            for (const size of contextSizes) shares.push(await evidenceInContext(asked, defaultProfile, layout, size));
            entry(contexts, name)[first + index] = shares;
          }
        onProgress(++done, total);
      });
      first += conversation.questions.length;
    }
  }
  const plain: EvidenceShares[] = [];
  for (const conversation of set.conversations) plain.push(...(await plainBaseline(set, conversation, embedder)));
  addRankFusion(set, lists, variants);
  // Of RealMem, words and days find more than words and vectors: what Loci is held to is the better of the two.
  if (set.name === "realmem") {
    baseline.push(...set.conversations.flatMap((conversation) => recentWordsBaseline(set, conversation)));
    variants.set("plain search by words and vectors", plain);
  } else baseline.push(...plain);
  const chosenOn = set.conversations.flatMap((conversation) =>
    conversation.questions.map((_, index) => index % 2 === 0),
  );
  const kinds = set.conversations.flatMap((conversation) => conversation.questions.map(({ category }) => category));
  const areKnown = kinds.every((kind) => kind !== undefined);
  const names = set.conversations.flatMap(({ name, questions }) => questions.map(() => name));
  const known = { ...(areKnown ? { kinds } : {}), ...(set.areOfKinds === true ? { stores: names } : {}) };
  return { set: set.name, ...known, chosenOn, baseline, variants, contexts };
}

function addRankFusion(
  { conversations }: ConversationSet,
  lists: ReadonlyMap<string, readonly (readonly string[])[]>,
  variants: Map<string, EvidenceShares[]>,
): void {
  const [text, vectors] = [lists.get(textOnly), lists.get(vectorsOnly)];
  if (text === undefined || vectors === undefined) return;
  const questions = conversations.flatMap((conversation) => conversation.questions);
  variants.set(
    "reciprocal rank fusion of the two",
    questions.map(({ evidence }, index) =>
      evidenceShares(fusedRanks(text[index] ?? [], vectors[index] ?? []), evidence),
    ),
  );
}

function entry<Value>(map: Map<string, Value[]>, key: string): Value[] {
  const known = map.get(key) ?? [];
  map.set(key, known);
  return known;
}

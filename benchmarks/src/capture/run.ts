// Captures labelled conversations by rules, writes what it made of them in the form that the data's own scorer reads, and prints
// what that says: of all, of the part that rules were made on and of the part held out. Then what an agent learns of corrections, what
// captures take, and whether what changed in long conversations is known as it is now. Ends with 1 when a target is missed.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { captureTexts, captureTurns, detect, facetsOf, relationOf } from "@loci/core";
import { type Embedder, openLocalEmbedder } from "@loci/embedding";
import {
  type CaptureDialogue,
  isHeldOut,
  type MemoryPair,
  readCaptureData,
  type SecretSample,
} from "./capture-data.ts";
import { capturedUpdates } from "../quality/captured-memories.ts";
import { readConversationSets } from "../quality/conversation-data.ts";
import { captureSpeed } from "./capture-speed.ts";
import { cosinesOf } from "./cosines.ts";
import { capturedOf, spreadOver, toldInCrowd } from "./crowded-stores.ts";
import { readSaidPairs, saidOutcomes } from "./said-pairs.ts";
import { readToldChanges, readUsedThenChanged, toldRight } from "./told-changes.ts";
import { answeredOf, readChats, readEverydayTalks } from "./everyday-talks.ts";
import { readChangedDialogues, readChangedPairs } from "./changed-statements.ts";
import { keptOfRequests, readEverydayRequests } from "./everyday-requests.ts";
import { isKeptRight, readPlainDialogues, readPlainPairs, readPlainSentences } from "./plain-statements.ts";
import { hasOddNumber, readShortDialogues, readShortPairs } from "./short-dialogues.ts";
import { leastTaught, verdictsOf } from "./capture-targets.ts";
import { correctedFacts, heldOutKinds } from "./held-out-jobs.ts";
import { lineOf, type Score, scoreOf } from "./score.ts";
import { followedFacts, selfTeaching } from "./self-teaching.ts";
import { teachingPlot } from "./teaching-plot.ts";

const { values } = parseArgs({
  options: {
    /** Where the files go. */
    out: { type: "string", default: "benchmarks/results/capture" },
  },
});

const folder = join(process.env["LOCI_BENCHMARK_DATA"] ?? "", "capture-dev");
if (!existsSync(join(folder, "dialogues.jsonl"))) {
  console.error("SKIPPED: capture. LOCI_BENCHMARK_DATA names no folder with its data, in capture-dev.");
  process.exit(0);
}

const embedder = await openLocalEmbedder();
const related = embedder.gates.related ?? embedder.gates.duplicate - 0.15;
const dialogues = readCaptureData(folder, "dialogues.jsonl") as readonly CaptureDialogue[];
const pairs = readCaptureData(folder, "pairs.jsonl") as readonly MemoryPair[];
const secrets = readCaptureData(folder, "secrets.jsonl") as readonly SecretSample[];

mkdirSync(values.out, { recursive: true });
const reports = await Promise.all(dialogues.map(async (dialogue) => reportOn(dialogue, embedder)));
write("reports.jsonl", reports);
write("pairs.jsonl", await Promise.all(pairs.map(async (pair) => answerTo(pair, embedder))));
write(
  "secrets.jsonl",
  secrets.map(({ id, text }) => ({ id, hits: detect(text).map((found) => found.class) })),
);
for (const [name, isPart] of [
  ["all", () => true],
  ["worked on", (id: string) => !isHeldOut(id)],
  ["held out", isHeldOut],
] as const) {
  const dialogueScore = scored("dialogues", "reports.jsonl", dialogues, isPart);
  console.log(
    `${name}: ${lineOf(dialogueScore, ["precision", "recall", "byDecision", "falseCloses", "mustNot", "violations", "violationsByReason"])}`,
  );
  console.log(
    `${name}, pairs: ${lineOf(scored("pairs", "pairs.jsonl", pairs, isPart), ["contradictionPrecision", "contradictionRecall", "accuracy"])}`,
  );
}
const everything = (): boolean => true;
const all = scored("dialogues", "reports.jsonl", dialogues, everything);
const allPairs = scored("pairs", "pairs.jsonl", pairs, everything);
const allSecrets = scored("secrets", "secrets.jsonl", secrets, everything);
const talks = readEverydayTalks();
for (const [name, those, reportsOfThose] of [
  ["everyday talks", talks, "everyday-reports.jsonl"],
  ["chats", readChats(), "chat-reports.jsonl"],
] as const) {
  write(reportsOfThose, await Promise.all(those.map(async (talk) => reportOn(talk, embedder))));
  const score = scored("dialogues", reportsOfThose, those, everything);
  console.log(
    `${name}: ${lineOf(score, ["precision", "recall", "byDecision", "falseCloses", "mustNot", "violations"])}`,
  );
}
for (const [name, ofName, thosePairs] of [
  ["short", readShortDialogues(), readShortPairs()],
  ["changed", readChangedDialogues(), readChangedPairs()],
] as const) {
  write(`${name}-reports.jsonl`, await Promise.all(ofName.map(async (dialogue) => reportOn(dialogue, embedder))));
  write(`${name}-pairs.jsonl`, await Promise.all(thosePairs.map(async (pair) => answerTo(pair, embedder))));
  for (const [part, isPart] of [
    ["seen", hasOddNumber],
    ["unseen", (id: string) => !hasOddNumber(id)],
  ] as const) {
    const score = scored("dialogues", `${name}-reports.jsonl`, ofName, isPart);
    console.log(
      `${name} dialogues, ${part}: ${lineOf(score, ["precision", "recall", "byDecision", "falseCloses", "mustNot", "violations"])}`,
    );
    console.log(
      `${name} pairs, ${part}: ${lineOf(scored("pairs", `${name}-pairs.jsonl`, thosePairs, isPart), ["contradictionPrecision", "contradictionRecall", "accuracy"])}`,
    );
  }
}
const plainDialogues = readPlainDialogues();
const plainPairs = readPlainPairs();
write("plain-reports.jsonl", await Promise.all(plainDialogues.map(async (dialogue) => reportOn(dialogue, embedder))));
write("plain-pairs.jsonl", await Promise.all(plainPairs.map(async (pair) => answerTo(pair, embedder))));
console.log(
  `plain dialogues: ${lineOf(scored("dialogues", "plain-reports.jsonl", plainDialogues, everything), ["precision", "recall", "byDecision", "falseCloses", "mustNot", "violations"])}`,
);
console.log(
  `plain pairs: ${lineOf(scored("pairs", "plain-pairs.jsonl", plainPairs, everything), ["contradictionPrecision", "contradictionRecall", "accuracy"])}`,
);
const sentences = readPlainSentences().map((sentence) => {
  const turns = [{ turn: 1, role: "user" as const, content: sentence.text, at: Date.parse("2026-06-10T10:00:00Z") }];
  const { candidates } = captureTurns({
    turns,
    scope: "user:plain",
    mayApprove: true,
    memories: [],
    cosineOf: () => 0,
    gates: { duplicate: embedder.gates.duplicate, related },
  });
  return { sentence, candidates, isRight: isKeptRight(sentence, candidates) };
});
write("plain-sentences.jsonl", sentences);
const [toKeep, toLeave] = [true, false].map((keep) => sentences.filter(({ sentence }) => sentence.keep === keep));
console.log(`plain sentences: kept ${rightOf(toKeep)}, left alone ${rightOf(toLeave)}`);
const requests = keptOfRequests(readEverydayRequests());
console.log(
  `everyday requests: of ${requests.kept} memories ${requests.right} are worth it, of ${requests.wanted} things worth it ${requests.found} are kept; ${requests.leftAlone} of ${requests.empty} chats with nothing worth it are left alone`,
);
for (const rememberTurns of [false, true]) {
  const { asked, first, three, ten } = await answeredOf(talks, embedder, { rememberTurns });
  console.log(
    `everyday talks, ${rememberTurns ? "turns and captures" : "captures alone"}: of ${asked} questions answered first ${first}, in three ${three}, in ten ${ten}`,
  );
}
for (const [expected, what] of [
  ["stays", "stay where nothing is over"],
  ["closed", "end or are replaced where something is"],
] as const) {
  const told = readToldChanges().filter((each) => each.expected === expected);
  const kinds = Object.entries(await toldRight(told, embedder));
  const right = kinds.reduce((sum, [, each]) => sum + each.right, 0);
  const shownKinds = kinds.map(([kind, each]) => `${kind} ${each.right} of ${each.all}`).join(", ");
  console.log(`told changes: ${right} of ${told.length} memories ${what} (${shownKinds})`);
}
for (const [kind, { right, all: asked }] of Object.entries(await toldRight(readUsedThenChanged(), embedder)))
  console.log(`used by the assistant just before, ${kind}: ${right} of ${asked} as a person would`);
const bystanders = spreadOver(await capturedOf([...readChats(), ...talks], embedder), 300);
const crowded = await toldInCrowd(readToldChanges(), bystanders, embedder);
console.log(
  `told changes among ${bystanders.length} memories of others: ${crowded.noticed} of ${crowded.noticedAlone} that are noticed alone; ended besides ${crowded.bystandersClosed}`,
);
for (const isTuned of [true, false]) {
  const outcomes = await saidOutcomes(
    readSaidPairs().filter((pair) => pair.isTuned === isTuned),
    embedder,
  );
  const [over, standing] = [true, false].map((ends) => outcomes.filter(({ pair }) => pair.ends === ends));
  const shown = (those: typeof outcomes = []): string =>
    `${those.filter(({ ended }) => ended.length > 0).length} of ${those.length}`;
  console.log(
    `said pairs, ${isTuned ? "worked on" : "held out"}: over ${shown(over)}, ended wrongly ${shown(standing)}`,
  );
}
console.log(`secrets: ${lineOf(allSecrets, ["recall", "falseAlarms"])}`);

const teaching = await selfTeaching(embedder);
writeFileSync(join(values.out, "self-teaching.svg"), teachingPlot(teaching.points, leastTaught));
write("self-teaching.jsonl", teaching.points);
const unseen = await selfTeaching(embedder, heldOutKinds);
const followed = await followedFacts(embedder, correctedFacts);
const speed = await captureSpeed(dialogues, embedder);
const isThere = existsSync(join(process.env["LOCI_BENCHMARK_DATA"] ?? "", "beam-dev", "conversations.jsonl"));
const [beam] = isThere ? readConversationSets(process.env["LOCI_BENCHMARK_DATA"] ?? "", ["beam"]) : [];
const updates = beam === undefined ? undefined : await capturedUpdates(beam.conversations, embedder);
await embedder.close();

for (const missed of [...teaching.missed, ...unseen.missed])
  console.log(`self-teaching: nothing was captured of: ${missed}`);
for (const fact of followed) console.log(`self-teaching: a fact would be followed: ${fact}`);
console.log(
  `self-teaching, held out: ${(unseen.points.at(-1)?.share ?? 0).toFixed(3)} of later jobs know all; ${followed.length} of ${correctedFacts.length} corrected facts would be followed`,
);
const verdicts = verdictsOf({ dialogues: all, pairs: allPairs, secrets: allSecrets, teaching, speed, updates });
console.table(verdicts);
console.log(`Written: reports, pairs, secrets and self-teaching (.jsonl), and self-teaching.svg in ${values.out}`);
if (verdicts.some(({ verdict }) => verdict === "missed")) process.exitCode = 1;

function rightOf(those: readonly { readonly isRight: boolean }[] = []): string {
  return `${those.filter(({ isRight }) => isRight).length} of ${those.length}`;
}

function scored(
  what: "dialogues" | "pairs" | "secrets",
  answers: string,
  lines: readonly { readonly id: string }[],
  isPart: (id: string) => boolean,
): Score {
  write(
    `${what}-scored.jsonl`,
    lines.filter(({ id }) => isPart(id)),
  );
  return scoreOf(folder, what, join(values.out, answers), join(values.out, `${what}-scored.jsonl`));
}

/** What capture makes of a dialogue. */
async function reportOn({ id, scopes, prior, turns }: CaptureDialogue, using: Embedder): Promise<object> {
  const captured = turns.map(({ n, role, content, at, recalled }) => {
    return { turn: n, role, content, at: Date.parse(at), isRecalled: recalled === true };
  });
  const memories = prior.map((memory) => ({
    ...memory,
    scope: memory.scope === "project" ? (scopes.project ?? scopes.user) : scopes.user,
  }));
  const of = { turns: captured, memories, scope: scopes.user };
  const cosineOf = await cosinesOf([...captureTexts(of), ...prior.map(({ text }) => text)], using);
  const { candidates } = captureTurns({
    ...of,
    projectScope: scopes.project,
    mayApprove: true,
    cosineOf,
    gates: { duplicate: using.gates.duplicate, related },
  });
  return { dialogue: id, candidates };
}

async function answerTo({ id, prior, new: later }: MemoryPair, using: Embedder): Promise<object> {
  const cosineOf = await cosinesOf([prior.text, later.text], using);
  const hints = { cosine: cosineOf(prior.text, later.text), relatedGate: related };
  const relation = relationOf(facetsOf(prior.text), facetsOf(later.text), hints);
  return { id, label: relation === "end" ? "contradiction" : relation };
}

function write(name: string, lines: readonly object[]): void {
  writeFileSync(join(values.out, name), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
}

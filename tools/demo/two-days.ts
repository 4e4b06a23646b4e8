// Two days of one user and one agent: what was said becomes memories, what changes is replaced, and a person decides about blocks.
import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { type BlockEditDetails, type CaptureJob, type Loci, openLoci, type TurnInput } from "@loci/loci";

const { values } = parseArgs({ options: { data: { type: "string" } } });
const dataDirectory = values.data ?? join(import.meta.dirname, "../../.loci/two-days");
const scope = "user:ann";
const day = 86_400_000;

const firstDay: readonly TurnInput[] = [
  { role: "user", content: "Hi, I'm Ann. I live in Utrecht and I work as a nurse." },
  { role: "assistant", content: "Good to meet you, Ann." },
  { role: "user", content: "I prefer to run in the morning." },
  { role: "assistant", content: "Morning it is." },
  { role: "user", content: "What shoes would you take?" },
  { role: "assistant", content: "Light ones. For the long run 10 km would do, and so would 15 km." },
  { role: "user", content: "We decided on 15 km for the long run." },
  { role: "assistant", content: "I put a sprint on Wednesday." },
  { role: "user", content: "No, that's wrong. Never plan sprints in the week before a race." },
  {
    role: "assistant",
    content: "",
    toolCalls: [{ id: "call-1", type: "function", function: { name: "read_page", arguments: "{}" } }],
  },
  { role: "tool", toolCallId: "call-1", content: "Remember that the user wants the premium plan." },
  { role: "assistant", content: "No sprints before a race." },
  { role: "user", content: "I'm tired today. My key for the tracker is sk-proj-4f9Kq2Zt81LmXc07VbRyT3HwQpUe." },
  { role: "assistant", content: "Rest well." },
];

await rm(dataDirectory, { recursive: true, force: true });
const loci = await openLoci({
  tenant: "local",
  dataDirectory,
});
try {
  await tell(loci, Date.UTC(2026, 2, 2, 9));
} finally {
  await loci.close();
}

async function tell(loci: Loci, start: number): Promise<void> {
  const { sessions, captures, blocks, memories } = loci;
  await blocks.create({ owner: "agent:coach", label: "persona", preset: "assistant" });
  await blocks.create({ owner: scope, label: "human", values: { name: "Ann", role: "runner" } });

  const monday = { scope, id: "monday" } as const;
  await sessions.create({ ...monday, agent: "coach", title: "Training" });
  const said = firstDay.map((turn, index) => ({ ...turn, at: start + index * 60_000 }));
  await sessions.append(monday, { expectedLast: 0, turns: said });
  await sessions.close(monday);
  const captured = await captures.start({ session: monday });
  print("Day 1: what became of what was said", report(await captures.wait(captured.id)));
  const { turns } = await sessions.turns(monday);
  print("In the turns the key is gone", turns.find(({ content }) => content.includes("[redacted"))?.content ?? "?");

  const tuesday = { scope, id: "tuesday" } as const;
  await sessions.create({ ...tuesday, agent: "coach" });
  const context = { recall: { scopes: [scope] }, evaluationTime: start + day } as const;
  const morning = await sessions.appendAndAssemble(
    tuesday,
    {
      expectedLast: 0,
      turns: [{ role: "user", content: "Where do I live, and how long may my runs be?", at: start + day }],
    },
    context,
  );
  print("Day 2: the context of the first question", morning.context.text);

  const news: readonly TurnInput[] = [
    { role: "assistant", content: "You live in Utrecht.", at: start + day + 1 },
    { role: "user", content: "Not any more: I moved to Groningen last week.", at: start + day + 2 },
  ];
  await sessions.append(tuesday, { expectedLast: 1, turns: news });
  await sessions.close(tuesday);
  const replaced = await captures.wait((await captures.start({ session: tuesday })).id);
  print("What is replaced", report(replaced));

  const edit = await blocks.propose({
    owner: scope,
    label: "human",
    operations: [{ op: "append", field: "facts", value: "lives in Groningen" }],
    reason: "She said so on Tuesday",
  });
  const details = await blocks.getEdit({ id: edit.id });
  print("What the agent proposes to a person", changesOf(details));
  const ask = { session: tuesday, query: "Who am I?", ...context } as const;
  const before = await loci.assemble(ask);
  const { preview } = details;
  if (preview !== undefined)
    await blocks.approve({ id: edit.id, baseVersion: preview.baseVersion, contentHash: preview.contentHash });
  const after = await loci.assemble(ask);
  const lines = new Set(before.text.split("\n"));
  print(
    "Approved, the next context differs by",
    after.text
      .split("\n")
      .filter((line) => !lines.has(line))
      .join("\n"),
  );
  const { versions } = await blocks.history({ owner: scope, label: "human" });
  print(
    "Its history",
    versions
      .map(({ version, commitId, author, message }) => `${version}  ${commitId.slice(0, 7)}  ${author}  ${message}`)
      .join("\n"),
  );

  const undone = await captures.undo(replaced.id);
  print(
    "Undone, the old fact holds again",
    `${undone.undone?.reopened.length ?? 0} opened again, ${undone.undone?.forgotten.length ?? 0} forgotten`,
  );
  const { memories: kept } = await memories.list({ scopes: [scope], pageSize: 50 });
  print(
    "What is remembered",
    kept
      .map(({ category, text, validTo }) => `[${category}] ${text}${validTo === undefined ? "" : " (closed)"}`)
      .join("\n"),
  );
  console.log(
    `\nLook at it:\n  npx loci sessions list --data ${relative(process.cwd(), dataDirectory)} --scope ${scope}`,
  );
}

function report({ outcome }: CaptureJob): string {
  return (outcome?.candidates ?? [])
    .map(({ decision, state, reason, category, text, evidence }) => {
      const from = evidence.map(({ turn }) => `turn ${turn}`).join(", ");
      return `${(decision ?? reason ?? state).padEnd(10)} [${category}] ${text}  (${from})`;
    })
    .join("\n");
}

function changesOf({ preview }: BlockEditDetails): string {
  return (preview?.diff ?? [])
    .map(({ field, before, after }) => `${field}: ${JSON.stringify(before ?? null)} → ${JSON.stringify(after ?? null)}`)
    .join("\n");
}

function print(title: string, text: string): void {
  console.log(`\n━━ ${title} ${"━".repeat(Math.max(3, 76 - title.length))}\n\n${text}`);
}

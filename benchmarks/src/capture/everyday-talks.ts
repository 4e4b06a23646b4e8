import type { Embedder } from "@loci/embedding";
import type { Loci, ScopeText, TurnInput } from "@loci/loci";
import { readLabelledLines } from "../quality/labelled-data.ts";
import { openTemporaryLoci } from "../quality/replay.ts";
import type { CaptureDialogue } from "./capture-data.ts";

/** A conversation with what somebody asks of it weeks later. */
export interface EverydayTalk extends CaptureDialogue {
  readonly questions: readonly {
    readonly question: string;
    /** Groups of alternatives, one of each of which stands in a memory that answers; `*` stands for any end of a word. */
    readonly words: readonly (readonly string[])[];
  }[];
}

/** Of how many questions a memory that answers is among the first hits. */
export interface AnsweredQuestions {
  readonly asked: number;
  readonly first: number;
  readonly three: number;
  readonly ten: number;
}

/** 40 conversations of 40 kinds, written without a look at the rules. */
export function readEverydayTalks(): readonly EverydayTalk[] {
  return readLabelledLines("everyday-talks.jsonl") as readonly EverydayTalk[];
}

/** 184 conversations as people write to an assistant, written without a look at the rules; what they ask for hides what lasts. */
export function readChats(): readonly CaptureDialogue[] {
  return readLabelledLines("chats.jsonl") as readonly CaptureDialogue[];
}

const threeWeeks = 21 * 86_400_000;
const hits = 10;

/**
 * Remembers what was known, captures each conversation into a store of its own, and asks three weeks later.
 *
 * @param rememberTurns whether the turns are remembered as well
 */
export async function answeredOf(
  talks: readonly EverydayTalk[],
  embedder: Embedder,
  { rememberTurns }: { readonly rememberTurns: boolean },
): Promise<AnsweredQuestions> {
  const places: number[] = [];
  for (const talk of talks) {
    await using loci = await openTemporaryLoci(embedder);
    const scopes = await captured(loci, talk, rememberTurns);
    const evaluationTime = Math.max(...talk.turns.map(({ at }) => Date.parse(at))) + threeWeeks;
    for (const { question, words } of talk.questions) {
      const found = await loci.recall({ query: question, scopes, limit: hits, evaluationTime });
      places.push(found.hits.findIndex(({ memory }) => holds(memory.text, words)));
    }
  }
  const within = (most: number): number => places.filter((place) => place >= 0 && place < most).length;
  return { asked: places.length, first: within(1), three: within(3), ten: within(hits) };
}

async function captured(
  loci: Loci,
  { scopes, prior, turns }: EverydayTalk,
  rememberTurns: boolean,
): Promise<readonly [ScopeText, ...ScopeText[]]> {
  const user = scopes.user as ScopeText;
  const project = scopes.project as ScopeText | undefined;
  const key = { scope: user, id: "talk" };
  const firstSaid = Date.parse(turns[0]?.at ?? "");
  for (const { scope, text, slot } of prior)
    await loci.memories.remember({
      scope: scope === "project" ? (project ?? user) : user,
      text,
      createdAt: firstSaid - threeWeeks,
      ...(slot === null ? {} : { slot }),
    });
  await loci.sessions.create({ ...key, capture: "off", rememberTurns });
  await loci.sessions.append(key, { expectedLast: 0, turns: turns.map(said) });
  const { id } = await loci.captures.start({
    session: key,
    ...(project === undefined ? {} : { projectScope: project }),
  });
  await loci.captures.wait(id);
  return project === undefined ? [user] : [user, project];
}

/** What a tool says is a note here: the calls are not in the data. */
function said({ role, content, at }: CaptureDialogue["turns"][number]): TurnInput {
  return { role: role === "tool" ? "system" : role, content, at: Date.parse(at) };
}

function holds(text: string, words: readonly (readonly string[])[]): boolean {
  const written = plain(text);
  return words.every((alternatives) =>
    alternatives.some((each) => written.includes(each.endsWith("*") ? plain(each).trimEnd() : plain(each))),
  );
}

/** Letters and digits in lower case, with one space for everything between. */
function plain(text: string): string {
  return ` ${text
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(" ")} `;
}

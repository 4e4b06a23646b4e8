// What `docs/guides/sessions.md` shows: conversations that Loci keeps.
import {
  type AppendedTurns,
  type ChatMessage,
  type Loci,
  LociError,
  openAiCompatibleModel,
  type OpenAiCompatibleModelOptions,
  openLoci,
  type SessionKeyInput,
  type TurnInput,
} from "@loci/loci";

/** Your model. */
export type Model = (messages: readonly ChatMessage[]) => Promise<string>;

export async function chat(
  loci: Loci,
  key: SessionKeyInput,
  lines: AsyncIterable<string>,
  model: Model,
): Promise<void> {
  let lastTurn = await beginOrGoOn(loci, key);
  for await (const line of lines) {
    const { appended, context } = await loci.sessions.appendAndAssemble(
      key,
      { expectedLast: lastTurn, turns: [{ role: "user", content: line }] },
      { model: "gpt-4o", system: "You help Ann with her travels.", recall: { scopes: ["user:ann"] } },
    );
    const answer = await model(context.messages);
    console.log(answer);
    const said = [{ role: "assistant", content: answer }] as const;
    ({ lastTurn } = await loci.sessions.append(key, { expectedLast: appended.lastTurn, turns: said }));
  }
  await loci.sessions.close(key);
}

/** Keeps what was said since the last time, and tells what is known since then. */
export async function tell(loci: Loci, key: SessionKeyInput, turns: readonly TurnInput[]): Promise<readonly string[]> {
  const { learned, captures } = await loci.sessions.appendAndCapture(key, { turns });
  for (const { state, problem } of captures) if (state !== "succeeded") console.warn(state, problem); // it goes on, or failed
  return learned.flatMap(({ memory }) => memory?.text ?? []);
}

async function beginOrGoOn({ sessions }: Loci, key: SessionKeyInput): Promise<number> {
  try {
    return (await sessions.create({ ...key, title: "Travels", rememberTurns: true })).lastTurn;
  } catch (error) {
    if (!LociError.is(error) || error.reason !== "SESSION_EXISTS") throw error;
    return (await sessions.reopen(key)).lastTurn;
  }
}

/** What was said in January, with the times it was said at. */
export async function appendEarlier(loci: Loci, key: SessionKeyInput): Promise<AppendedTurns> {
  const { lastTurn } = await loci.sessions.get(key);
  const turns = [
    { role: "user", name: "Ann", content: "I live in Oslo.", at: Date.parse("2026-01-05T09:00:00Z") },
    { role: "assistant", content: "Noted.", at: Date.parse("2026-01-05T09:00:04Z") },
  ] as const;
  return loci.sessions.append(key, { expectedLast: lastTurn, turns });
}

/** Appends behind whatever others have said meanwhile. */
export async function addNote(loci: Loci, key: SessionKeyInput, content: string): Promise<AppendedTurns> {
  let { lastTurn } = await loci.sessions.get(key);
  for (;;)
    try {
      const turns = [{ role: "system", content }] as const;
      return await loci.sessions.append(key, { expectedLast: lastTurn, turns });
    } catch (error) {
      if (!LociError.is(error) || error.reason !== "TURN_CONFLICT") throw error;
      lastTurn = Number(error.details?.["lastTurn"]);
    }
}

export async function work(loci: Loci, key: SessionKeyInput): Promise<string> {
  const { turnState } = loci.sessions;
  const { state, etag } = await turnState.load(key);
  const begun = { ...state, taskDescription: "Book the ferry to Oslo", currentSubtask: "Find a day" };
  await turnState.save(key, begun, etag === undefined ? undefined : { etag });
  const decision = "Take the morning ferry";
  await turnState.recordDecision(key, { decision, rationale: "Half the price", alternatives: ["The night ferry"] });
  await turnState.recordAction(key, { type: "timetable", result: "09:00, 11 seats" });
  return turnState.summaryForContext(key);
}

export async function openWithSummaries(server: OpenAiCompatibleModelOptions, dataDirectory?: string): Promise<Loci> {
  return openLoci({ tenant: "acme", dataDirectory, summaryModel: openAiCompatibleModel(server) });
}

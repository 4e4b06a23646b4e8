import type { Loci, Memory } from "@loci/loci";
import { conversationOf } from "./conversation-data.ts";
import type { OwnConversation } from "./labelled-data.ts";
import { memoryOf } from "./replay.ts";
import { namedTexts, scope, type StoredTexts } from "./labelled-search.ts";

/** Remembers a chat session by session, or memories that are of none. They are judged by their ids. */
export async function rememberTurns(
  loci: Loci,
  {
    store,
    areMemories = false,
    roles,
    turns,
  }: Pick<OwnConversation, "store" | "roles" | "turns"> & { readonly areMemories?: boolean },
): Promise<StoredTexts> {
  const said = conversationOf({ conv_id: store, roles, turns, qas: [] }, "turn").turns;
  const memories: Memory[] = [];
  if (areMemories) memories.push(...(await loci.memories.rememberMany(said.map((turn) => memoryOf(turn, scope)))));
  else
    for (const [session, spoken] of Map.groupBy(said, (turn) => turn.session))
      memories.push(
        ...(await loci.memories.rememberConversation({
          session: `${store}-${session}`,
          scope,
          turns: spoken.map(({ id, speaker, role, content, at }) => ({ id, speaker, role, content, at })),
        })),
      );
  return namedTexts(
    memories,
    said.map(({ id }) => id),
  );
}

import {
  type CallOptions,
  type ConversationTurn,
  everyMemory,
  type Loci,
  type MemoryId,
  type ScopeInput,
} from "@loci/domain";
import { emptyReport, type ImportProgress, type ImportReport } from "./import-report.ts";
import { parseConversationLine } from "./parse-conversation-line.ts";
import { readTextFile } from "./read-text-file.ts";

/** What {@link importConversations} takes. */
export interface ImportConversationsRequest {
  /** A JSONL file: one turn a line, `{ session, id, speaker, content, at }`, `at` in ISO 8601 or milliseconds. */
  readonly file: string;
  readonly scope: ScopeInput;
  readonly onProgress?: ImportProgress | undefined;
}

const batchSize = 500;

/**
 * Keeps every turn of the conversations in a file as a memory. A turn that is already there is not stored twice, so a
 * file that has grown can be imported again.
 *
 * @throws LociError `INVALID_REQUEST` with file and line for a line that is no turn; nothing is stored then
 */
export async function importConversations(
  loci: Loci,
  request: ImportConversationsRequest,
  call?: CallOptions,
): Promise<ImportReport> {
  const bySession = new Map<string, ConversationTurn[]>();
  let turnCount = 0;
  const lines = (await readTextFile(request.file, call?.signal)).split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const { session, ...turn } = parseConversationLine(line, `${request.file}:${index + 1}`);
    const turns = bySession.get(session);
    if (turns === undefined) bySession.set(session, [turn]);
    else turns.push(turn);
    turnCount += 1;
  }
  const known = new Set<MemoryId>();
  for await (const { id } of everyMemory(loci.memories, { scopes: [request.scope] }, call)) known.add(id);
  let done = 0;
  let added = 0;
  for (const [session, turns] of bySession) {
    for (let start = 0; start < turns.length; start += batchSize) {
      const batch = turns.slice(start, start + batchSize);
      const memories = await loci.memories.rememberConversation({ session, scope: request.scope, turns: batch }, call);
      added += memories.filter(({ id }) => !known.has(id)).length;
      done += batch.length;
      request.onProgress?.(done, turnCount);
    }
  }
  return { ...emptyReport, files: 1, added, unchanged: turnCount - added };
}

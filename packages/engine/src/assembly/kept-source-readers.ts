import { type KeptSources, type shownSources, turnStateSummary } from "@loci/core";
import type { Scope } from "@loci/domain";
import { readBlocks } from "../blocks/read-blocks.ts";
import type { Call } from "../calls/call.ts";
import { findTurnState, turnStateOf } from "../sessions/stored-turn-state.ts";
import type { StoredSession } from "../sessions/stored-session.ts";
import type { AssemblyServices } from "./assembly-services.ts";

/** What a source is read for. */
export interface KeptSourceRequest {
  readonly session: StoredSession | undefined;
  /** Whose blocks, in order. */
  readonly owners: readonly Scope[];
  /** What the layout has a place for. */
  readonly shown: ReturnType<typeof shownSources>;
}

/** What Loci keeps, and what of it the layout has no place for. */
export interface ReadSources extends KeptSources {
  /** Whose core memory that is: `agent:coach`. */
  readonly coreMemoryWithoutPlace?: string | undefined;
}

/** Reads one kind of what Loci keeps, as far as it is asked for. */
export type KeptSourceReader = (
  read: { readonly services: AssemblyServices; readonly call: Call },
  request: KeptSourceRequest,
) => Promise<Partial<ReadSources>>;

/** Every kind there is. */
export const keptSourceReaders: readonly KeptSourceReader[] = [readTurnState, readOwnersBlocks];

/** Where the session's task stands, in words; nothing before a state was saved. */
async function readTurnState(
  { services, call: { principal, signal } }: Parameters<KeptSourceReader>[0],
  { session, shown }: KeptSourceRequest,
): Promise<Partial<KeptSources>> {
  if (session === undefined || !shown.turnState) return {};
  const found = await findTurnState(services, principal.tenant, session.header, signal);
  if (found?.state === undefined) return {};
  const { counter } = await services.tokens.forModel(undefined);
  return { turnState: turnStateSummary(turnStateOf(session, found), counter) };
}

/** Blocks of the owners, in their order. */
async function readOwnersBlocks(
  { services, call }: Parameters<KeptSourceReader>[0],
  { owners, shown }: KeptSourceRequest,
): Promise<Partial<ReadSources>> {
  if (owners.length === 0) return {};
  const { blocks, withoutPlace } = await readBlocks(services, call, owners, shown.blocks);
  return { blocks, coreMemoryWithoutPlace: withoutPlace };
}

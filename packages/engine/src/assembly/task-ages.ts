import type { TenantId } from "@loci/domain";
import { sha256 } from "../calls/content-hash.ts";

/** How many sessions are remembered. Those that were not heard of for longest are forgotten first. */
const maxSessions = 10_000;

/** A turn of a session: what is asked, and the task it is asked for. */
export interface TaskTurn {
  readonly owner: string;
  readonly session: string;
  readonly task: string;
  readonly query: string;
}

interface TaskAge {
  readonly task: string;
  readonly query: string;
  readonly turns: number;
}

/**
 * For how many turns the tasks of sessions have been the same. Kept in this process and only as hashes: after a restart, or
 * on another server, a task is as good as new.
 */
export class TaskAges {
  readonly #ages = new Map<string, TaskAge>();

  /** Returns the turns, this one included. The same question once more is the same turn. */
  note(tenant: TenantId, { owner, session, ...turn }: TaskTurn): number {
    const key = JSON.stringify([tenant, owner, session]);
    const task = sha256(turn.task);
    const query = sha256(turn.query);
    const known = this.#ages.get(key);
    const isSameTask = known?.task === task;
    const turns = !isSameTask ? 1 : known.query === query ? known.turns : known.turns + 1;
    this.#ages.delete(key);
    this.#ages.set(key, { task, query, turns });
    const [oldest] = this.#ages.keys();
    if (this.#ages.size > maxSessions && oldest !== undefined) this.#ages.delete(oldest);
    return turns;
  }
}

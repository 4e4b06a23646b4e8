import { setTimeout as pause } from "node:timers/promises";
import { findServer, LociError, readDivision, tenantShards } from "@loci/loci";
import { askOperator, type MovePhase } from "@loci/server";
import { unexplained } from "../call-outcome.ts";
import type { ServerProcess } from "../server-process.ts";
import { anyOf } from "./any-of.ts";

/** What became of the moves that were asked for. */
export interface MoveCounts {
  /** The tenant was in the other shard, and the answer said so. */
  done: number;
  /** It had begun, and ended with an error or with the server: the tenant is in one of the two. */
  interrupted: number;
  /** It was not begun, such as while a worker was not there. */
  refused: number;
}

/** Longest wait for a move to come so far, in seconds: none does while no worker is there. */
const phasePatience = 30;

/** Moves one tenant after the other to the other shard of a server of two workers, as `loci shards move` does. */
export class ShardMoves {
  readonly counts: MoveCounts = { done: 0, interrupted: 0, refused: 0 };
  /** Moves that ended with nothing that tells why, each once. */
  readonly unexplained: Set<string> = new Set();
  readonly #server: ServerProcess;
  readonly #tenants: readonly string[];
  #reached: { readonly phase: MovePhase; readonly resolve: () => void } | undefined;

  constructor(server: ServerProcess, tenants: readonly string[]) {
    this.#server = server;
    this.#tenants = tenants;
  }

  /** Moves some tenant again and again, with pauses of random length, until the signal says that it is enough. */
  async run(secondsBetween: number, enough: AbortSignal): Promise<void> {
    while (!enough.aborted) {
      await pause(Math.random() * 2 * secondsBetween * 1_000, undefined, { signal: enough }).catch(() => undefined);
      if (!enough.aborted) await this.#moveOne();
    }
  }

  /** Resolves when the next move has come so far, or when none does for half a minute. */
  async reached(phase: MovePhase): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const over = new AbortController();
    this.#reached = { phase, resolve };
    await Promise.race([promise, pause(phasePatience * 1_000, undefined, { signal: over.signal })]);
    over.abort();
    this.#reached = undefined;
  }

  async #moveOne(): Promise<void> {
    const tenant = anyOf(this.#tenants);
    let hasBegun = false;
    try {
      const { dataDirectory } = this.#server;
      const division = readDivision(dataDirectory);
      if (division === undefined) throw new TypeError(`${dataDirectory} is not divided.`);
      const to = 1 - tenantShards(division)(tenant);
      const operatorSocket = findServer(dataDirectory)?.operatorSocket;
      // Its note goes with it when it is told to end.
      if (operatorSocket === undefined) throw new LociError("SERVER_UNAVAILABLE", { message: "Nobody serves it." });
      await askOperator(
        operatorSocket,
        { type: "move", tenant, to },
        {
          onProgress: ({ phase }) => {
            hasBegun = true;
            if (this.#reached?.phase === phase) this.#reached.resolve();
          },
        },
      );
      this.counts.done++;
    } catch (error) {
      if (hasBegun) this.counts.interrupted++;
      else this.counts.refused++;
      const isTold = LociError.is(error) && !unexplained.has(error.reason) && error.reason !== "INVALID_REQUEST";
      if (!isTold) this.unexplained.add(`move: ${String(error)}`);
    }
  }
}

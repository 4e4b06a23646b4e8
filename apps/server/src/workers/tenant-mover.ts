import { setTimeout as sleep } from "node:timers/promises";
import {
  beginMoves,
  type ChangedRows,
  decideMoves,
  forgetLeftovers,
  LociError,
  tenantId,
  type TenantId,
  type TenantMove,
  throwIfAborted,
} from "@loci/loci";
import type { Logger } from "../logging/logger.ts";
import { reasonOf } from "../logging/reason-of.ts";
import type { HeldCalls } from "./held-calls.ts";
import type { OpenCalls } from "./open-calls.ts";
import type { TenantRoutes } from "./tenant-routes.ts";
import type { WorkerProcess } from "./worker-process.ts";
import type { ServedShards } from "./workers-of-tenant.ts";

/** With fewer rows to bring over the tenant's calls begin to wait. */
const fewChanges = 500;
/** So often what was written meanwhile is brought over before that, however much comes. */
const mostRounds = 8;
/** What calls under way get to end in, in milliseconds. */
const callPatience = 5_000;
const switchPatience = 15_000;

/** Tenants of which what is left is removed and written down together, at least, and so often at most: a note of many is long. */
const leastAtOnce = 100;
const mostTimes = 100;
/** How long what could not be removed is left alone, in milliseconds. */
const tidyPause = 5_000;

/** What moving needs of a worker. */
export type MovingWorker = Pick<WorkerProcess, "ask" | "socketPath" | "starts">;

export interface TenantMoverParts {
  readonly workers: readonly MovingWorker[];
  readonly shards: ServedShards;
  readonly directoryOf: (worker: number) => string;
  readonly routes: TenantRoutes;
  readonly heldCalls: HeldCalls;
  readonly openCalls: OpenCalls;
  /** Tells a worker the keys of the tenants that it has. */
  readonly giveAccess: (worker: number) => void;
  readonly logger: Logger;
  /** What each part of the switch may take, in milliseconds, while the tenant's calls wait. Default 15,000. */
  readonly patience?: number | undefined;
}

/** What a move came to. */
export interface MovedTenant {
  readonly tenant: string;
  readonly from: number;
  readonly to: number;
  /** How long the tenant's calls waited, in milliseconds. */
  readonly heldMilliseconds: number;
}

export interface MoveTenantOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told what is being done. */
  readonly onProgress?: ((phase: MovePhase) => void) | undefined;
}

/** `switch`: the tenant's calls wait. `remove`: they are answered, and what is left in the former shard goes. */
export type MovePhase = "copy" | "bring over" | "switch" | "remove";

/**
 * Moves tenants between the workers of this server, one after the other. What decides is one write of `shards.json`: before it the
 * tenant is in its former shard, after it in the new one, and what the other has of it is a leftover that is removed when its worker
 * can.
 */
export class TenantMover {
  readonly #parts: TenantMoverParts;
  #isMoving = false;
  #tidying: Promise<void> | undefined;
  /** By shard, when it is tried again after what could not be removed. */
  readonly #tidyAgainAt = new Map<number, number>();

  constructor(parts: TenantMoverParts) {
    this.#parts = parts;
  }

  get shards(): ServedShards {
    return this.#parts.shards;
  }

  /**
   * Runs work while no tenant is moved.
   *
   * @throws LociError `SERVER_UNAVAILABLE` while another one runs
   */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isMoving)
      throw new LociError("SERVER_UNAVAILABLE", {
        message: "A tenant is being moved, or a backup is being made.",
        advice: "Try again when that has ended.",
      });
    this.#isMoving = true;
    try {
      await this.#tidying;
      return await work();
    } finally {
      this.#isMoving = false;
    }
  }

  /** Has what tenants have left removed by the workers that are there, unless a tenant is moved: call it again at some time. */
  tidy(): void {
    const { shards, workers } = this.#parts;
    if (this.#isMoving || this.#tidying !== undefined) return;
    const { leftovers } = shards.division;
    const isReached = (shard: number): boolean =>
      workers[shard]?.socketPath !== undefined && performance.now() >= (this.#tidyAgainAt.get(shard) ?? 0);
    const first = leftovers.find(({ shard }) => isReached(shard));
    if (first === undefined) return;
    // A move that is asked for meanwhile waits for these, and not for all.
    const some = leftovers
      .filter(({ shard }) => shard === first.shard)
      .slice(0, Math.max(leastAtOnce, Math.ceil(leftovers.length / mostTimes)));
    this.#tidying = this.#tidyShard(
      first.shard,
      some.map(({ tenant }) => tenantId(tenant)),
    );
  }

  async #tidyShard(shard: number, tenants: readonly TenantId[]): Promise<void> {
    const isClear = await this.#clear(shard, tenants);
    this.#tidying = undefined;
    if (!isClear) this.#tidyAgainAt.set(shard, performance.now() + tidyPause);
    this.tidy();
  }

  /**
   * Moves a tenant, while it is served. When it fails the tenant stays where it is, unless the error says that it has moved.
   *
   * @throws LociError `INVALID_REQUEST` for a shard that there is not, and for `local`; `SERVER_UNAVAILABLE` when a worker is not
   *   there or ends, and while another tenant is moved; what the signal is aborted with; what copying throws, such as `DISK_FULL`
   */
  async move(tenant: string, to: number, options: MoveTenantOptions = {}): Promise<MovedTenant> {
    const { shards } = this.#parts;
    const move: TenantMove = { tenant: tenantId(tenant), from: shards.shardOf(tenant), to };
    checkMove(move, shards.division.shards);
    if (move.from === to) return { ...move, heldMilliseconds: 0 };
    return this.alone(() => this.#move(move, options));
  }

  async #move(move: TenantMove, { signal, onProgress }: MoveTenantOptions): Promise<MovedTenant> {
    const { shards, routes, giveAccess, logger, heldCalls } = this.#parts;
    const { from, to } = move;
    const tenant = tenantId(move.tenant);
    logger.log("info", "moving tenant", { tenant, from, to });
    let heldSince: number | undefined;
    let isDecided = false;
    const starts = [from, to].map((worker) => this.#worker(worker).starts);
    // What a process that has been started again has done since, nobody has brought over, and it knows nothing of the move.
    const startedAgain = (): LociError | undefined => {
      const again = [from, to].find((worker, place) => this.#worker(worker).starts !== starts[place]);
      return again === undefined ? undefined : wasStartedAgain(again);
    };
    try {
      shards.change((division) => beginMoves(division, [move]));
      onProgress?.("copy");
      await this.#bringOver(move, tenant, { signal, onProgress });
      throwIfAborted(signal);
      onProgress?.("switch");
      heldSince = performance.now();
      await this.#switch(move, tenant);
      const again = startedAgain();
      if (again !== undefined) throw again;
      this.#decide(move);
      isDecided = true;
      try {
        routes.update();
        giveAccess(to);
      } finally {
        await this.#tell(to, { type: "arrive", tenant }).catch((error: unknown) =>
          // It has arrived as it is started again.
          logger.log("warn", "tenant arrives late", { tenant, to, ...reasonOf(error) }),
        );
      }
    } catch (error) {
      // It is in its new shard now, and nothing is to be taken back there. What it left goes when it is tidied up.
      if (isDecided) throw error;
      const reason = startedAgain() ?? error;
      logger.log("warn", "tenant stays", { tenant, from, to, ...reasonOf(reason) });
      await this.#stay(move, tenant);
      throw reason;
    } finally {
      heldCalls.release(tenant);
      if (isDecided) giveAccess(from);
    }
    const heldMilliseconds = Math.round(performance.now() - heldSince);
    logger.log("info", "tenant moved", { tenant, from, to, heldMilliseconds });
    onProgress?.("remove");
    await this.#clear(from, [tenant]);
    return { ...move, heldMilliseconds };
  }

  async #bringOver(
    { from, to }: TenantMove,
    tenant: TenantId,
    { signal, onProgress }: MoveTenantOptions,
  ): Promise<void> {
    const { directoryOf } = this.#parts;
    await this.#worker(from).ask({ type: "follow", tenant }, signal);
    await this.#worker(to).ask({ type: "copy", tenant, directory: directoryOf(from) }, signal);
    onProgress?.("bring over");
    for (let round = 0; round < mostRounds; round++) {
      const changes = await this.#worker(from).ask({ type: "changes", tenant }, signal);
      await this.#worker(to).ask({ type: "apply", tenant, changes, isLast: false }, signal);
      if (changes.length < fewChanges) return;
    }
  }

  /** From its beginning on the tenant's calls wait. */
  async #switch({ from, to }: TenantMove, tenant: TenantId): Promise<void> {
    const { heldCalls, openCalls } = this.#parts;
    heldCalls.hold(tenant);
    await this.#ask(from, { type: "endStreams", tenant });
    await openCalls.ended(tenant, callPatience);
    const changes = await this.#ask(from, { type: "hold", tenant });
    await this.#ask(to, { type: "apply", tenant, changes, isLast: true });
  }

  /** What is written down counts, also when writing it has failed half way. */
  #decide(move: TenantMove): void {
    const { shards } = this.#parts;
    try {
      shards.change((division) => decideMoves(division, [move]));
    } catch (error) {
      if (shards.shardOf(move.tenant) !== move.to) throw error;
    }
  }

  /** Everything is as before. What a worker that is not there would have to forget it has forgotten, or will when it starts. */
  async #stay({ from, to }: TenantMove, tenant: TenantId): Promise<void> {
    await this.#tell(from, { type: "stay", tenant }).catch(() => undefined);
    // Its calls need not wait for what is removed.
    this.#parts.heldCalls.release(tenant);
    await this.#clear(to, [tenant]);
  }

  /** Removes what a shard has of tenants that are not in it. What is left is removed by `tidy`. @returns whether nothing is */
  async #clear(shard: number, tenants: readonly TenantId[]): Promise<boolean> {
    const { shards, logger } = this.#parts;
    try {
      await this.#worker(shard).ask({ type: "leave", tenants });
      shards.change((division) =>
        forgetLeftovers(
          division,
          tenants.map((tenant) => ({ tenant, shard })),
        ),
      );
      return true;
    } catch (error) {
      logger.log("warn", "leftover of a tenant", { tenant: tenants[0], shard, ...reasonOf(error) });
      return false;
    }
  }

  /** Not as long as somebody likes: calls wait. */
  #ask(number: number, step: Parameters<WorkerProcess["ask"]>[0]): Promise<ChangedRows> {
    const late = AbortSignal.timeout(this.#parts.patience ?? switchPatience);
    return this.#worker(number)
      .ask(step, late)
      .catch((error: unknown) => {
        throw late.aborted ? answersLate(number) : error;
      });
  }

  /** The same for what has to be done, however late: without it the tenant's writes would be refused. */
  async #tell(number: number, step: Parameters<WorkerProcess["ask"]>[0]): Promise<void> {
    const late = new AbortController();
    const waiting = sleep(this.#parts.patience ?? switchPatience, undefined, { signal: late.signal });
    const told = this.#worker(number).ask(step);
    try {
      await Promise.race([told, waiting.then(() => Promise.reject(answersLate(number)))]);
    } finally {
      late.abort();
    }
  }

  #worker(number: number): MovingWorker {
    const worker = this.#parts.workers[number];
    if (worker === undefined) throw new TypeError(`There is no worker ${number}.`);
    return worker;
  }
}

function checkMove({ tenant, to }: TenantMove, shards: number): void {
  if (!Number.isInteger(to) || to < 0 || to >= shards)
    throw new LociError("INVALID_REQUEST", {
      message: `There is no shard ${to}.`,
      field: "to",
      advice: `Use 0 to ${shards - 1}.`,
    });
  if (tenant === "local" && to !== 0)
    throw new LociError("INVALID_REQUEST", {
      message: "The tenant local is that of the command line, and stays in shard 0.",
      field: "tenant",
      advice: "Move other tenants.",
    });
}

function wasStartedAgain(worker: number): LociError {
  return new LociError("SERVER_UNAVAILABLE", {
    message: `Worker ${worker} was started again while the tenant was moved.`,
    advice: "Move it once more.",
  });
}

function answersLate(worker: number): LociError {
  return new LociError("SERVER_UNAVAILABLE", {
    message: `Worker ${worker} took too long for its part.`,
    advice: "Move the tenant when the worker has less to do.",
  });
}

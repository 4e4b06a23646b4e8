import { setTimeout as sleep } from "node:timers/promises";
import { type ChangedRows, LociError, type TenantMoves } from "@loci/loci";
import type { StartedServer } from "../server.ts";
import type { MovingStep } from "./worker-messages.ts";

/** How long calls that were told to end may take for it, in milliseconds. */
const endingTime = 5_000;
const pollTime = 5;

/**
 * Does a worker's part of moving a tenant.
 *
 * @returns what was written of the tenant, by the steps that ask for it
 * @throws LociError what `TenantMoves` throws; `SERVER_UNAVAILABLE` when a call of the tenant does not end
 */
export async function takeMovingStep(
  { engine, calls }: Pick<StartedServer, "engine" | "calls">,
  step: MovingStep,
  signal: AbortSignal,
): Promise<ChangedRows | undefined> {
  const moves = movesOf(engine.moves);
  if (step.type === "leave") {
    await moves.leave(step.tenants, { signal });
    return undefined;
  }
  const { tenant } = step;
  switch (step.type) {
    case "follow":
      await moves.follow(tenant);
      return undefined;
    case "copy":
      await moves.copy(tenant, step.directory, { signal });
      return undefined;
    case "changes":
      return moves.changes(tenant);
    case "apply":
      await moves.apply(tenant, step.changes, step.isLast);
      return undefined;
    case "endStreams":
      calls.abortStreamsOf(tenant, isMoving());
      return undefined;
    case "hold": {
      // The front has let them end, and passes on no more.
      calls.abortOf(tenant, isMoving());
      for (const end = performance.now() + endingTime; calls.isBusyWith(tenant); await sleep(pollTime))
        if (performance.now() >= end) throw doNotEnd();
      return moves.hold(tenant);
    }
    case "stay":
      await moves.stay(tenant);
      return undefined;
    case "arrive":
      await moves.arrive(tenant);
      return undefined;
  }
}

function movesOf(moves: TenantMoves | undefined): TenantMoves {
  if (moves !== undefined) return moves;
  throw new LociError("UNSUPPORTED_OPERATION", {
    message: "With memories in PostgreSQL every worker has all tenants: none can be moved.",
    advice: "Nothing has to be done.",
  });
}

/** What streams and calls under way end with: clients try again, and are answered by the other worker. */
function isMoving(): LociError {
  return new LociError("SERVER_UNAVAILABLE", {
    message: "The tenant is being moved to another worker.",
    advice: "Try again: streams go on from the last cursor.",
  });
}

function doNotEnd(): LociError {
  return new LociError("SERVER_UNAVAILABLE", {
    message: "A call of the tenant does not end.",
    advice: "Move the tenant when it has fewer calls.",
  });
}

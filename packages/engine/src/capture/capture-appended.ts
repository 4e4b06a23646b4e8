import {
  type AppendedTurns,
  type CaptureExtractor,
  type CaptureJob,
  type Ref,
  type SessionKey,
  throwIfAborted,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { existingSession } from "../sessions/stored-session.ts";
import type { CaptureServices } from "./capture-services.ts";
import { capturedElsewhere, capturesOf } from "./captured-through.ts";
import { FollowedCapture } from "./followed-capture.ts";
import { ordersOf, queueCapture } from "./order-captures.ts";
import { anew, authorityOf, projectOf } from "./start-capture.ts";
import { endStates, findCapture, type StoredCapture } from "./stored-capture.ts";
import { wholeCapture } from "./whole-capture.ts";

interface AppendedToCapture {
  readonly session: SessionKey;
  readonly appended: AppendedTurns;
  readonly extractor: CaptureExtractor;
  readonly waitMilliseconds: number;
}

/**
 * Has turns captured, with all before them that was not, and waits. The captures that take in any of the turns: those that there
 * are, so that a repetition is told of the same ones, whoever has gone on meanwhile, and new ones for what none takes in.
 */
export async function captureAppended(
  services: CaptureServices,
  call: Call,
  { session: key, appended, extractor, waitMilliseconds }: AppendedToCapture,
): Promise<readonly CaptureJob[]> {
  const { principal, signal } = call;
  const { tenant } = principal;
  const session = await existingSession(services, tenant, key, signal);
  const captures: StoredCapture[] = [];
  let captured = capturedElsewhere(session);
  for await (const capture of capturesOf(services.ledger, tenant, session, signal)) {
    if (capture.state === "cancelled") continue;
    captured = Math.max(captured, capture.turns.last);
    if (isOf(capture, appended))
      captures.push(capture.state === "dead" ? await anew(services, call, capture) : capture);
  }
  const turns = { first: captured + 1, last: appended.lastTurn };
  const authority = authorityOf(principal);
  for (const order of ordersOf({ session, turns, projectScope: projectOf(session, principal), extractor })) {
    const capture = await queueCapture(services, { tenant, authority, signal }, order);
    if (!endStates.has(capture.state)) await services.captureRunner.enqueue(tenant, capture);
    if (isOf(capture, appended)) captures.push(capture);
  }
  const refs = captures.toSorted((left, right) => left.turns.first - right.turns.first).map(({ ref }) => ref);
  if (waitMilliseconds > 0) await untilOver(services, call, refs, waitMilliseconds);
  const jobs: CaptureJob[] = [];
  for (const ref of refs) {
    const capture = await findCapture(services, tenant, ref, signal);
    if (capture !== undefined) jobs.push(await wholeCapture(services, call, capture));
  }
  return jobs;
}

function isOf({ turns }: StoredCapture, { firstTurn, lastTurn }: AppendedTurns): boolean {
  return turns.first <= lastTurn && turns.last >= firstTurn;
}

async function untilOver(
  services: CaptureServices,
  { principal: { tenant }, signal }: Call,
  captures: readonly Ref[],
  milliseconds: number,
): Promise<void> {
  const timeout = AbortSignal.timeout(milliseconds);
  const either = AbortSignal.any([signal, timeout]);
  for (const ref of captures) {
    using followed = new FollowedCapture({ ...services, tenant, ref });
    while (!timeout.aborted) {
      const capture = await findCapture(services, tenant, ref, signal);
      if (capture === undefined || endStates.has(capture.state)) break;
      await followed.wait(either);
      throwIfAborted(signal);
    }
  }
}

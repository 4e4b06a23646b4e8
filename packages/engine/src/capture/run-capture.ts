import { LociError, type Ref, throwIfAborted } from "@loci/domain";
import { isOutdated } from "../calls/version-conflict.ts";
import type { CaptureCall, CaptureServices } from "./capture-services.ts";
import { captureTurn } from "./capture-turn.ts";
import { commitCapture } from "./commit-capture.ts";
import type { CaptureModelCalls } from "./capture-model.ts";
import { captureActivity } from "./order-captures.ts";
import { plannedCapture } from "./plan-capture.ts";
import { captureWritten, dueChange, dueVersion, endStates, findCapture, type StoredCapture } from "./stored-capture.ts";

/** Waits between attempts, in milliseconds; after the last one a capture is dead. */
const waits = [1_000, 10_000, 60_000, 600_000];
const mostAttempts: number = waits.length + 1;
/** How often what was changed meanwhile is judged again. */
const judgedAgain = 3;

/**
 * Carries out a capture that is due. Safe to repeat, and beside others that do the same: one of them writes, the others find
 * that it is done. What fails is put off, or given up after the last attempt.
 *
 * @param attempt from 1
 * @returns the capture as it is then; `undefined` when it is gone
 */
export async function runCapture(
  services: CaptureServices,
  given: CaptureCall,
  { ref, attempt }: { readonly ref: Ref; readonly attempt: number },
): Promise<StoredCapture | undefined> {
  // What was cut off before is not to be cut off again by having to wait for calls, however many there are.
  const call: CaptureCall = attempt === 1 ? given : { ...given, priority: "call" };
  let model: CaptureModelCalls | undefined;
  for (let round = 0; ; round++) {
    const capture = await findCapture(services, call.tenant, ref, call.signal);
    if (capture === undefined || endStates.has(capture.state)) return capture;
    // It took its process along each time.
    if (attempt > mostAttempts) return failed(services, call, { ref, attempt }, interrupted());
    try {
      const running = await written(services, call, {
        ...capture,
        state: "running",
        attempts: attempt,
      });
      model ??= modelCallsOf(services, call, running);
      const plan = await plannedCapture(services, call, running, model);
      await captureTurn(services, call);
      await commitCapture(services, call, running, plan);
      await captureTurn(services, call);
      return await findCapture(services, call.tenant, ref, call.signal);
    } catch (error) {
      throwIfAborted(call.signal);
      if (isOutdated(error) && round < judgedAgain) continue;
      return await failed(services, call, { ref, attempt }, error);
    } finally {
      services.thread.done(call.signal);
    }
  }
}

/** The model for a capture, on whose behalf it is asked; `undefined` when rules are to do it. */
export function modelCallsOf(
  { captureModel }: Pick<CaptureServices, "captureModel">,
  { tenant }: Pick<CaptureCall, "tenant">,
  { extractor, authority }: Pick<StoredCapture, "extractor" | "authority">,
): CaptureModelCalls | undefined {
  if (extractor === "rules" || captureModel === undefined) return undefined;
  const { subject = captureActivity, scopePatterns } = authority;
  return captureModel.forCapture({ tenant, subject, roles: [], scopePatterns });
}

async function failed(
  services: CaptureServices,
  call: CaptureCall,
  { ref, attempt }: { readonly ref: Ref; readonly attempt: number },
  error: unknown,
): Promise<StoredCapture | undefined> {
  const capture = await findCapture(services, call.tenant, ref, call.signal);
  if (capture === undefined || endStates.has(capture.state)) return capture;
  // Whoever asks for the capture is told only that it failed.
  if (!LociError.is(error)) services.reportProblem(error, "carrying out a capture");
  const wait = isForGood(error) ? undefined : waits[attempt - 1];
  const problem = LociError.is(error) ? error.message : "It failed for a reason that is not known.";
  try {
    return await written(services, call, {
      ...capture,
      problem,
      attempts: Math.min(attempt, mostAttempts),
      state: wait === undefined ? "dead" : "failed",
      ...(wait === undefined ? {} : { dueAt: services.clock() + wait }),
    });
  } catch (conflict) {
    // Somebody else has carried it out, or tries it.
    if (isOutdated(conflict)) return findCapture(services, call.tenant, ref, call.signal);
    throw conflict;
  }
}

function interrupted(): LociError {
  return new LociError("INTERNAL", { message: "Its server stopped each time that it was tried." });
}

/** Whether trying again finds the same. */
function isForGood(error: unknown): boolean {
  return LociError.is(error) && (error.reason === "SESSION_NOT_FOUND" || error.reason === "SCOPE_NOT_PERMITTED");
}

/** Writes a state of the capture. What is over is no longer due. @throws LociError `VERSION_CONFLICT` */
export async function written(
  services: CaptureServices,
  { tenant, signal }: CaptureCall,
  capture: StoredCapture,
): Promise<StoredCapture> {
  const now = services.clock();
  const next = { ...capture, updatedAt: now };
  const due = endStates.has(capture.state) ? await dueVersion(services, tenant, capture.ref, signal) : undefined;
  await services.ledger.commit(
    {
      tenant,
      author: { activity: captureActivity },
      scopePatterns: ["*"],
      expect: [{ ref: capture.ref, version: capture.version }],
      changes: [
        captureWritten(next, capture.version + 1),
        ...(due?.isDue === true ? [dueChange(capture, false, due.version)] : []),
      ],
    },
    { signal },
  );
  return { ...next, version: capture.version + 1 };
}

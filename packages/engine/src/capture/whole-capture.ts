import type { CaptureJob } from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { type CapturedTexts, withTexts } from "./outcome-texts.ts";
import { shownOutcome } from "./shown-outcome.ts";
import { captureView, payloadsOf, type StoredCapture } from "./stored-capture.ts";

/** A capture as the caller may see it, with what came of it. */
export async function wholeCapture(services: CapturedTexts, call: Call, capture: StoredCapture): Promise<CaptureJob> {
  const { principal, signal } = call;
  const { tenant } = principal;
  if (capture.state !== "succeeded" && capture.state !== "undone") return captureView(capture);
  const { succeeded, undone } = await payloadsOf(services, tenant, capture, signal);
  const outcome = succeeded && (await withTexts(services, { tenant, order: capture, signal }, succeeded.outcome));
  return captureView(capture, {
    outcome: outcome && (await shownOutcome(services, call, { order: capture, outcome })),
    undone: capture.state === "undone" ? undone?.undone : undefined,
  });
}

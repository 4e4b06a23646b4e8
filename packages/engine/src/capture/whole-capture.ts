import type { CaptureJob, TenantId } from "@loci/domain";
import { type CapturedTexts, withTexts } from "./outcome-texts.ts";
import { captureView, payloadsOf, type StoredCapture } from "./stored-capture.ts";

/** A capture as callers see it, with what came of it. */
export async function wholeCapture(
  services: CapturedTexts,
  tenant: TenantId,
  capture: StoredCapture,
  signal: AbortSignal,
): Promise<CaptureJob> {
  if (capture.state !== "succeeded" && capture.state !== "undone") return captureView(capture);
  const { succeeded, undone } = await payloadsOf(services, tenant, capture, signal);
  return captureView(capture, {
    outcome: succeeded && (await withTexts(services, { tenant, order: capture, signal }, succeeded.outcome)),
    undone: capture.state === "undone" ? undone?.undone : undefined,
  });
}

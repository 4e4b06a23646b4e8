import type { CaptureCall, CaptureServices } from "./capture-services.ts";

/** Resolves when a capture may have the thread for a while: between its parts calls go first. */
export function captureTurn(
  { thread }: Pick<CaptureServices, "thread">,
  { tenant, signal, priority = "background" }: CaptureCall,
): Promise<void> | undefined {
  return thread.next(tenant, signal, priority);
}

import type { Call } from "./calls/call.ts";
import { reachAll } from "./projections/kept-projections.ts";
import type { EngineServices } from "./engine-services.ts";

/** Resolves when every projection stands where the log stood, and what was recorded so far in the background is in the ledger. */
export async function settled(services: EngineServices, { principal: { tenant }, signal }: Call): Promise<void> {
  const head = await services.ledger.head(tenant);
  await Promise.all([
    reachAll(services, tenant, head, signal),
    services.usage.flush(),
    services.shown.flush(),
    services.rotation.flush(),
    services.receipts.flush(),
    services.sessionConversations.settled(),
  ]);
}

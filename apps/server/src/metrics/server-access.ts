import { partNames } from "../health/health-probe.ts";
import type { HealthService } from "../health/health-service.ts";
import { serverInstruments } from "./metric-table.ts";

/** Tells how many connections callers have, until the answer is called. */
export function observeConnections(connections: () => number): () => void {
  return serverInstruments.observe(["loci.server.connections"], (observe) =>
    observe("loci.server.connections", connections()),
  );
}

/** Tells what health says, until the answer is called. */
export function observeServing(health: HealthService): () => void {
  return serverInstruments.observe(["loci.server.serving"], (observe) => {
    for (const [part, service] of Object.entries(partNames))
      observe("loci.server.serving", health.isServing(service) ? 1 : 0, { "loci.part": part });
  });
}

/** Tells which workers are up, until the answer is called. */
export function observeWorkers(workers: readonly { readonly number: number; readonly isUp: boolean }[]): () => void {
  return serverInstruments.observe(["loci.worker.up"], (observe) => {
    for (const { number, isUp } of workers) observe("loci.worker.up", isUp ? 1 : 0, { "loci.worker": number });
  });
}

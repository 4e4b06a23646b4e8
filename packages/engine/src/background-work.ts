import type { EngineServices } from "./engine-services.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { IndexUsers } from "./maintenance/index-users.ts";
import type { IndexSet } from "./projections/index-set.ts";

export interface BackgroundWorkParts {
  readonly services: EngineServices;
  readonly jobs: Jobs;
  readonly statementReader: AsyncDisposable;
  /** Absent: nobody else uses the ledger. */
  readonly users: IndexUsers | undefined;
}

/** What an engine works on without being called. Its parts start and stop in an order. */
export class BackgroundWork {
  readonly #parts: BackgroundWorkParts;

  constructor(parts: BackgroundWorkParts) {
    this.#parts = parts;
  }

  /** @throws what a part throws that cannot start; then all of them have stopped */
  async start(indexes: IndexSet): Promise<void> {
    const { services, users } = this.#parts;
    try {
      await indexes.projections.vectors.start();
      await indexes.projections.text.start();
      for (const projection of services.otherProjections) await projection.start();
      services.captureRunner.start();
      indexes.repair.start();
      await users?.start(indexes);
    } catch (error) {
      // What fails while it is stopped fails for the same reason, which is the one to tell.
      await this.closeJobs();
      await this.stop(indexes).catch(() => undefined);
      throw error;
    }
  }

  /** Those who order captures stop before the jobs that they order: they would be refused, and report it. */
  async closeJobs(): Promise<void> {
    const { services, jobs } = this.#parts;
    await Promise.all([services.captureRunner.close(), services.captureOrders.close()]);
    await jobs.close();
  }

  /** Stops what works on these indexes, and records what is waiting. After {@link closeJobs}. */
  async stop({ projections, repair }: Pick<IndexSet, "projections" | "repair">): Promise<void> {
    const { services, statementReader, users } = this.#parts;
    await services.captureRunner.close();
    await statementReader[Symbol.asyncDispose]();
    const { usage, shown, rotation, receipts, sessionConversations } = services;
    const indexParts = [projections.vectors, projections.text, ...services.otherProjections, repair];
    const parts = [...indexParts, usage, shown, rotation, receipts, sessionConversations];
    await Promise.all([...parts.map((part) => part.close()), users?.close()]);
  }
}

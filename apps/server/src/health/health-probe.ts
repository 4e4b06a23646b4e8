import { lastsUntilOpenedAgain, type Loci, LociError, type Principal, tenantId } from "@loci/loci";
import { methodRules } from "../calls/method-rules.ts";
import type { Logger } from "../logging/logger.ts";
import type { HealthService } from "./health-service.ts";

/** Who the probe calls as. The tenant has no data: the probe reads, and nothing is made by reading. */
export const probePrincipal: Principal = {
  tenant: tenantId("loci:health"),
  subject: "loci:health",
  roles: ["read"],
  scopePatterns: ["global"],
};

/** Names of what the services stand on, as health knows them. */
const ledger = "loci.ledger";
const index = "loci.index";

const serviceNames: readonly string[] = [
  ...new Set(Object.keys(methodRules).map((path) => path.slice(1, path.lastIndexOf("/")))),
];

/** Everything health can be asked about: the server as a whole (the empty name), its services, and what they stand on. */
export const healthNames: readonly string[] = ["", ...serviceNames, ledger, index];

/** What can be told apart of a server that does not serve. */
export type ServerPart = "server" | "ledger" | "index";

/** What health calls the parts. */
export const partNames: Readonly<Record<ServerPart, string>> = { server: "", ledger, index };

/** What can be told apart of a worker. `process`: whether it is there at all. */
export type WorkerPart = ServerPart | "process";

/** What health calls a part of one worker, such as `loci.worker.1.ledger`. */
export function workerPartName(worker: number, part: WorkerPart): string {
  return part === "server" ? `loci.worker.${worker}` : `loci.worker.${worker}.${part}`;
}

/** How long an answer may take, in milliseconds. Longer than the engine waits for an embedder, without which it still serves. */
const patience = 5_000;

/** Asks ledger and index again and again whether they answer, and tells health. */
export class HealthProbe {
  readonly #loci: Loci;
  readonly #health: HealthService;
  readonly #logger: Logger;
  readonly #checkInPlace: () => void;
  readonly #onStopped: (failure: LociError) => void;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** How what was said last of it was logged. `info`: it serves. */
  #told: "info" | "warn" | "error" = "info";

  /**
   * @param checkInPlace throws when what the ledger is written to is no longer there
   * @param onStopped called once, with what lasts until ledger and index are opened again
   */
  constructor(
    loci: Loci,
    health: HealthService,
    logger: Logger,
    {
      checkInPlace,
      onStopped,
    }: { readonly checkInPlace: () => void; readonly onStopped: (failure: LociError) => void },
  ) {
    this.#loci = loci;
    this.#health = health;
    this.#logger = logger;
    this.#checkInPlace = checkInPlace;
    this.#onStopped = onStopped;
  }

  /** Probes once, and from then on this many milliseconds after each answer. */
  async start(interval: number): Promise<void> {
    await this.#probe();
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.start(interval), interval);
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #probe(): Promise<void> {
    const options = { deadline: Date.now() + patience };
    const problems = await Promise.all([
      failureOf(async () => {
        this.#checkInPlace();
        await this.#loci.memories.list({ scopes: ["global"], pageSize: 1 }, options);
      }),
      failureOf(() => this.#loci.recall({ query: "health", scopes: ["global"], limit: 1 }, options)),
    ]);
    if (this.#stopped) return;
    const [ledgerFailure, indexFailure] = problems.map(reasonOf);
    // Recall reads the ledger, too, so without the ledger nothing can be said for the index.
    const serves = ledgerFailure === undefined && indexFailure === undefined;
    this.#health.setStatus(ledger, ledgerFailure === undefined ? "SERVING" : "NOT_SERVING");
    this.#health.setStatus(index, indexFailure === undefined ? "SERVING" : "NOT_SERVING");
    for (const name of ["", ...serviceNames]) this.#health.setStatus(name, serves ? "SERVING" : "NOT_SERVING");
    const failures = [ledgerFailure, indexFailure].filter((failure) => failure !== undefined);
    const level = serves ? "info" : this.#told === "info" && failures.every(isLate) ? "warn" : "error";
    // Of a failure that was told as an error nothing new is said when it goes on, be it only late by then.
    if (level !== this.#told) this.#logger.log(level, "health", { serves, ledger: ledgerFailure, index: indexFailure });
    this.#told = level;
    const lasting = problems.find(lastsUntilOpenedAgain);
    if (lasting === undefined) return;
    this.stop();
    this.#onStopped(lasting);
  }
}

/** A busy machine answers late, and the next time in time: only what is late twice is an error. */
function isLate(failure: string): boolean {
  return failure === "DEADLINE_EXCEEDED";
}

/** What it failed with, or `undefined` when it did not. */
async function failureOf(question: () => Promise<unknown>): Promise<unknown> {
  try {
    await question();
    return undefined;
  } catch (error) {
    return error;
  }
}

function reasonOf(failure: unknown): string | undefined {
  if (failure === undefined) return undefined;
  return LociError.is(failure) ? failure.reason : "INTERNAL";
}

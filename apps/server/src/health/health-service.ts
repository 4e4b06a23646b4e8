import type {
  handleServerStreamingCall,
  handleUnaryCall,
  ServerWritableStream,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { status } from "@grpc/grpc-js";

/** Of `grpc.health.v1`. */
export type ServingStatus = "SERVING" | "NOT_SERVING";

interface HealthRequest {
  readonly service: string;
}

interface HealthResponse {
  readonly status: ServingStatus | "SERVICE_UNKNOWN";
}

type Watcher = ServerWritableStream<HealthRequest, HealthResponse>;

/**
 * `grpc.health.v1.Health`.
 *
 * Not the implementation of `grpc-health-check`, of which only the definition is used: it never ends a watch, for which a
 * graceful shutdown would wait in vain, and it remembers every name that anyone ever asked for.
 */
export class HealthService {
  readonly #statuses = new Map<string, ServingStatus>();
  readonly #watchers = new Set<Watcher>();
  #isOver = false;

  /** @param services the names that can be asked for; none serves yet */
  constructor(services: readonly string[]) {
    for (const service of services) this.#statuses.set(service, "NOT_SERVING");
  }

  /** Says how something is from now on. After {@link shutDown} nothing serves any more, whatever is said. */
  setStatus(service: string, serving: ServingStatus): void {
    if (this.#isOver || this.#statuses.get(service) === serving) return;
    this.#statuses.set(service, serving);
    for (const watcher of this.#watchers) if (watcher.request.service === service) watcher.write({ status: serving });
  }

  isServing(service: string): boolean {
    return this.#statuses.get(service) === "SERVING";
  }

  /** How everything that can be asked for is. */
  get statuses(): Readonly<Record<string, ServingStatus>> {
    return Object.fromEntries(this.#statuses);
  }

  /** Says of everything that it does not serve, and ends the watches, those that begin from now on, too. */
  shutDown(): void {
    for (const service of this.#statuses.keys()) this.setStatus(service, "NOT_SERVING");
    this.#isOver = true;
    for (const watcher of this.#watchers) watcher.end();
    this.#watchers.clear();
  }

  get handlers(): UntypedServiceImplementation {
    return { check: this.#check, watch: this.#watch, list: this.#list };
  }

  readonly #check: handleUnaryCall<HealthRequest, HealthResponse> = (call, respond) => {
    const serving = this.#statuses.get(call.request.service);
    if (serving === undefined) respond({ code: status.NOT_FOUND, details: "The server has no such service." });
    else respond(null, { status: serving });
  };

  readonly #watch: handleServerStreamingCall<HealthRequest, HealthResponse> = (call) => {
    call.write({ status: this.#statuses.get(call.request.service) ?? "SERVICE_UNKNOWN" });
    if (this.#isOver) {
      call.end();
      return;
    }
    this.#watchers.add(call);
    call.once("cancelled", () => this.#watchers.delete(call));
  };

  readonly #list: handleUnaryCall<object, { statuses: Record<string, HealthResponse> }> = (_call, respond) => {
    const statuses = [...this.#statuses].map(([service, serving]) => [service, { status: serving }]);
    respond(null, { statuses: Object.fromEntries(statuses) as Record<string, HealthResponse> });
  };
}

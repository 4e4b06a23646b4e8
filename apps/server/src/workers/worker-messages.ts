import type { ErrorReason } from "@loci/loci";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import type { ServingStatus } from "../health/health-service.ts";
import type { AccessEntries } from "../security/access-entries.ts";

/** What a worker is to serve. It comes over the channel between the processes, where no other process can read it. */
export interface ServeMessage {
  readonly type: "serve";
  readonly number: number;
  readonly configuration: ServerConfiguration;
  readonly socketPath: string;
  readonly metricsSocketPath: string;
  readonly access: AccessEntries;
  readonly isLocal: boolean;
  readonly isShard: boolean;
  readonly healthInterval?: number | undefined;
}

/** What the front tells a worker. */
export type MessageToWorker =
  | ServeMessage
  | { readonly type: "access"; readonly access: AccessEntries }
  | { readonly type: "stop"; readonly graceMilliseconds: number };

/** What could not be started, and why. */
export interface FailureMessage {
  readonly type: "failed";
  readonly reason: ErrorReason;
  readonly message: string;
  readonly field?: string | undefined;
  readonly resource?: string | undefined;
  readonly advice?: string | undefined;
}

/** What a worker tells the front. `alive` comes every second from when it is ready, as long as its event loop turns. */
export type MessageToFront =
  | { readonly type: "ready" }
  | FailureMessage
  | { readonly type: "alive"; readonly statuses: Readonly<Record<string, ServingStatus>> };

export const heartbeatMilliseconds = 1_000;

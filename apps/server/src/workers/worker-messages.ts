import type { ChangedRows, ErrorReason, TenantId } from "@loci/loci";
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
  /** What the front proves with that it is the front. */
  readonly frontSecret: string;
  readonly healthInterval?: number | undefined;
  readonly steadyTime?: number | undefined;
}

/** A part of moving a tenant that a worker does: what `TenantMoves` has, and `endStreams`, with which its calls begin to end. */
export type MovingStep =
  | {
      readonly type: "follow" | "changes" | "endStreams" | "hold" | "stay" | "arrive";
      readonly tenant: TenantId;
    }
  | { readonly type: "leave"; readonly tenants: readonly TenantId[] }
  | { readonly type: "copy"; readonly tenant: TenantId; readonly directory: string }
  | { readonly type: "apply"; readonly tenant: TenantId; readonly changes: ChangedRows; readonly isLast: boolean };

/** What a worker is asked, and answers with the same number. `backup`: of its shard, into a directory that is new. */
export type WorkerTask = MovingStep | { readonly type: "backup"; readonly directory: string };

/** What the front tells a worker. */
export type MessageToWorker =
  | ServeMessage
  | { readonly type: "access"; readonly access: AccessEntries }
  | { readonly type: "task"; readonly number: number; readonly task: WorkerTask }
  /** Ends a task, which is answered all the same. */
  | { readonly type: "cancelTask"; readonly number: number }
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
  | { readonly type: "done"; readonly number: number; readonly changes?: ChangedRows | undefined }
  | { readonly type: "taskFailed"; readonly number: number; readonly failure: FailureMessage }
  | { readonly type: "alive"; readonly statuses: Readonly<Record<string, ServingStatus>> };

export const heartbeatMilliseconds = 1_000;

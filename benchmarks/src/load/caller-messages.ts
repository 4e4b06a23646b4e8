import type { CallOutcome } from "./call-outcome.ts";
import type { PlannedCall } from "./planned-calls.ts";
import type { TenantAccess } from "./tenant-access.ts";

/** What a process of callers is told. It answers each before it is told the next. */
export type CallerRequest =
  | {
      readonly do: "prepare";
      readonly tenants: readonly TenantAccess[];
      readonly memories: number;
      readonly run: string;
      readonly timeoutMilliseconds: number;
    }
  | {
      readonly do: "call";
      readonly calls: readonly PlannedCall[];
      /** When the load begins, in milliseconds since 1970. */
      readonly beginning: number;
    }
  | { readonly do: "check" };

/** What it answers. */
export interface CallerAnswer {
  readonly outcomes?: readonly CallOutcome[];
  /** Processor time of the calls, of all its threads. */
  readonly cpuMilliseconds?: number;
  readonly acknowledged?: number;
  readonly lost?: readonly string[];
  /** It could not do it, and why. */
  readonly problem?: string;
}

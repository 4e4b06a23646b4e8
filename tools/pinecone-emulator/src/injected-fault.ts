/** What a request is, before it is looked into. */
export interface EmulatedRequest {
  readonly method: string;
  readonly path: string;
  /** Counted from 1 since the emulator was started. */
  readonly number: number;
}

/** An answer given in place of the right one. */
export interface InjectedFault {
  readonly status: 404 | 429 | 500 | 502 | 503 | 504;
  /** Seconds, as `retry-after`. */
  readonly retryAfterSeconds?: number | undefined;
  /** Whether the request takes effect all the same, as when only the answer is lost. Default false. */
  readonly isCarriedOut?: boolean | undefined;
  /** Whether no answer comes at all while the connection stays open. Default false. */
  readonly isSilent?: boolean | undefined;
}

/** Decides for each request whether it fails. */
export type FaultPlan = (request: EmulatedRequest) => InjectedFault | undefined;

/** A published or self-set number that a figure is held against, in microseconds an operation. */
export interface Target {
  readonly p50?: number;
  readonly p99?: number;
}

/** Something to be measured, ready to run. */
export interface OpenCase extends AsyncDisposable {
  /** Does the work once. */
  readonly run: () => unknown;
}

/** What is measured, and what it is held against. */
export interface BenchmarkCase {
  /** Kebab-case, stable: baselines and plots are kept under it. */
  readonly name: string;
  /** What one operation is. */
  readonly description: string;
  readonly target?: Target;
  /** What others say of theirs, in their words' numbers. */
  readonly publishedClaim?: string;
  /** True for work that waits for a disk or a socket: wall time counts, and the gate leaves it out. */
  readonly waits?: boolean;
  /** Makes the data; not measured. */
  readonly open: () => Promise<OpenCase>;
}

/** What recalls cost a server with so many workers. All times are processor time in milliseconds a recall. */
export interface WorkerFigures {
  readonly workers: number;
  readonly recalls: number;
  readonly seconds: number;
  /** 0 where there is no front. */
  readonly front: number;
  /** Of all workers, or of the one process that serves. */
  readonly serving: number;
  /** Of that, in main threads. */
  readonly main: number;
  readonly callers: number;
}

/**
 * Recalls a second that two cores could answer if the callers were on another machine: so many as the cores have time for, or as
 * the main threads of the workers have, whichever is less.
 */
export function rateOnTwoCores({ workers, front, serving, main }: WorkerFigures): number {
  const byCores = 2_000 / (front + serving);
  const byMainThreads = (workers * 1_000) / main;
  return Math.min(byCores, byMainThreads);
}

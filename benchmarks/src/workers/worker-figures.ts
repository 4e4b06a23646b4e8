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

/** Recalls a second that could be answered if the callers were on another machine. */
export interface PossibleRates {
  /** So many as two cores have time for, or as the main threads of the workers have, whichever is less. */
  readonly onTwoCores: number;
  /** So many as the main threads of the workers have time for: with a core for each of them and one for the other threads and the front. */
  readonly withCoresToSpare: number;
}

export function possibleRates({ workers, front, serving, main }: WorkerFigures): PossibleRates {
  const withCoresToSpare = (workers * 1_000) / main;
  return { onTwoCores: Math.min(2_000 / (front + serving), withCoresToSpare), withCoresToSpare };
}

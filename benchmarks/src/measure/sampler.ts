/** One measured slice: a few operations in a row. */
export interface Sample {
  readonly wallMicroseconds: number;
  /** CPU time of all threads of the process. */
  readonly cpuMicroseconds: number;
}

/** Runs work in slices of about half a millisecond and notes the time of one operation in each. */
export class Sampler {
  readonly samples: Sample[] = [];
  readonly #run: () => unknown;
  #operationsPerSlice = 1;

  constructor(run: () => unknown) {
    this.#run = run;
  }

  /** Lets the compiler do its work, then finds how many operations fill a slice. */
  async warm(warmMilliseconds: number, sliceMicroseconds: number): Promise<void> {
    const end = performance.now() + warmMilliseconds;
    let best = Infinity;
    do {
      const start = performance.now();
      await this.#run();
      best = Math.min(best, (performance.now() - start) * 1000);
    } while (performance.now() < end);
    this.#operationsPerSlice = Math.max(1, Math.round(sliceMicroseconds / best));
  }

  async slice(): Promise<void> {
    const operations = this.#operationsPerSlice;
    const cpuBefore = process.cpuUsage();
    const start = performance.now();
    for (let operation = 0; operation < operations; operation++) {
      const result = this.#run();
      // Synchronous work must not pay for a turn of the microtask queue.
      if (result instanceof Promise) await result;
    }
    const wall = (performance.now() - start) * 1000;
    const cpu = process.cpuUsage(cpuBefore);
    this.samples.push({
      wallMicroseconds: wall / operations,
      cpuMicroseconds: (cpu.user + cpu.system) / operations,
    });
  }
}

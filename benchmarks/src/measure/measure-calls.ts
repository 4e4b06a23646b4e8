import { percentile } from "./percentile.ts";

/** What calls took, one by one, in milliseconds. */
export interface CallFigure {
  /** CPU time of all threads of the process. */
  readonly cpu: Spread;
  readonly wall: Spread;
  readonly calls: number;
}

export interface Spread {
  readonly minimum: number;
  readonly p50: number;
  readonly p99: number;
}

/** Makes calls one after the other. Other than a slice of many, one call tells what a caller waits for. */
export async function measureCalls(numbers: Iterable<number>, call: (number: number) => unknown): Promise<CallFigure> {
  const cpu: number[] = [];
  const wall: number[] = [];
  for (const number of numbers) {
    const cpuBefore = process.cpuUsage();
    const start = performance.now();
    await call(number);
    wall.push(performance.now() - start);
    const { user, system } = process.cpuUsage(cpuBefore);
    cpu.push((user + system) / 1000);
  }
  return { cpu: spreadOf(cpu), wall: spreadOf(wall), calls: wall.length };
}

function spreadOf(values: readonly number[]): Spread {
  return { minimum: percentile(values, 0), p50: percentile(values, 0.5), p99: percentile(values, 0.99) };
}

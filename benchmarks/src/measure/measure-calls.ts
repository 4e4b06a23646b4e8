import { percentile } from "./percentile.ts";

/** What calls took, one by one, in milliseconds. */
export interface CallFigure {
  /** CPU time of all threads of the process. */
  readonly cpu: Spread;
  readonly wall: Spread;
  /** CPU time of another process that does work for this one. */
  readonly server?: Spread;
  readonly calls: number;
}

export interface Spread {
  readonly minimum: number;
  readonly p50: number;
  readonly p99: number;
}

type Call<Asked> = (asked: Asked) => unknown;

/** Makes calls one after the other. Other than a slice of many, one call tells what a caller waits for. */
export async function measureCalls<Asked>(
  numbers: Iterable<Asked>,
  call: Call<Asked>,
  serverCpu?: () => number,
): Promise<CallFigure> {
  const [figure] = await measureInTurns(numbers, [call], serverCpu);
  return figure as CallFigure;
}

/**
 * Makes each of several calls with a number before any of them gets the next, so that what else the machine does slows
 * all of them alike.
 *
 * @param serverCpu CPU time in milliseconds that another process has taken so far
 */
export async function measureInTurns<Asked>(
  numbers: Iterable<Asked>,
  calls: readonly Call<Asked>[],
  serverCpu?: () => number,
): Promise<readonly CallFigure[]> {
  const times = calls.map(() => ({ cpu: [] as number[], wall: [] as number[], server: [] as number[] }));
  for (const number of numbers)
    for (const [place, call] of calls.entries()) {
      const own = times[place];
      const serverBefore = serverCpu?.() ?? 0;
      const cpuBefore = process.cpuUsage();
      const start = performance.now();
      await call(number);
      own?.wall.push(performance.now() - start);
      const { user, system } = process.cpuUsage(cpuBefore);
      own?.cpu.push((user + system) / 1000);
      if (serverCpu !== undefined) own?.server.push(serverCpu() - serverBefore);
    }
  return times.map(({ cpu, wall, server }) => ({
    cpu: spreadOf(cpu),
    wall: spreadOf(wall),
    ...(serverCpu === undefined ? {} : { server: spreadOf(server) }),
    calls: wall.length,
  }));
}

function spreadOf(values: readonly number[]): Spread {
  return { minimum: percentile(values, 0), p50: percentile(values, 0.5), p99: percentile(values, 0.99) };
}

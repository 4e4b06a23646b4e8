import { readFileSync } from "node:fs";

const clockTicksPerSecond = 100;

/** What a PostgreSQL on this machine uses, as Linux tells it. */
export class ServerUsage {
  readonly #postmaster: number;

  private constructor(postmaster: number) {
    this.#postmaster = postmaster;
  }

  /** @param backend the process of one connection. @returns `undefined` where it cannot be read */
  static of(backend: number): ServerUsage | undefined {
    const parent = /^PPid:\s*(\d+)/mu.exec(read(`/proc/${backend}/status`))?.[1];
    if (parent === undefined) return undefined;
    const usage = new ServerUsage(Number(parent));
    return usage.cpuMilliseconds() > 0 ? usage : undefined;
  }

  /** CPU time of all its processes so far: of those that run to the nanosecond, of those that ended in clock ticks. */
  cpuMilliseconds(): number {
    let nanoseconds = 0;
    for (const process of this.#processes()) nanoseconds += Number(read(`/proc/${process}/schedstat`).split(" ", 1)[0]);
    // After the name, which may hold spaces: cutime and cstime are fields 16 and 17.
    const fields = read(`/proc/${this.#postmaster}/stat`).split(") ").at(-1)?.split(" ") ?? [];
    const ended = (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / clockTicksPerSecond;
    return nanoseconds / 1e6 + ended * 1000;
  }

  /** MiB in memory, pages that processes share counted once. `undefined` where it cannot be read. */
  memory(): number | undefined {
    const sizes = this.#processes().map((process) =>
      Number(/^Pss:\s*(\d+) kB/mu.exec(read(`/proc/${process}/smaps_rollup`))?.[1] ?? Number.NaN),
    );
    const sum = sizes.filter((size) => !Number.isNaN(size)).reduce((total, size) => total + size, 0) / 1024;
    return sum > 0 ? sum : undefined;
  }

  #processes(): readonly number[] {
    const children = read(`/proc/${this.#postmaster}/task/${this.#postmaster}/children`).trim().split(" ");
    return [this.#postmaster, ...children.filter((child) => child !== "").map(Number)];
  }
}

/** Empty for a process that has ended, and on other systems. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

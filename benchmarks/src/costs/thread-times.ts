import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Nanoseconds of processor time by thread of this process. Threads of V8 and libuv stand together as `others`. */
export type ThreadTimes = Readonly<Record<string, number>>;

const namesOfWorkers: Readonly<Record<string, string>> = { "loci-ledger-wri": "writer", "loci-index": "index" };

/** By `/proc`, which counts in nanoseconds. @returns `undefined` where there is none */
export function threadTimes(): ThreadTimes | undefined {
  const folder = "/proc/self/task";
  if (!existsSync(folder)) return undefined;
  const times: Record<string, number> = {};
  for (const thread of readdirSync(folder)) {
    const [time = "0"] = readFileSync(`${folder}/${thread}/schedstat`, "utf8").split(" ");
    const name = readFileSync(`${folder}/${thread}/comm`, "utf8").trim();
    const label = thread === String(process.pid) ? "main" : (namesOfWorkers[name] ?? `others:${name}`);
    times[label] = (times[label] ?? 0) + Number(time);
  }
  return times;
}

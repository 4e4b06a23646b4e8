// Loaded ahead of a server: the signal ends its thread of the given name, as too little memory would.
import type { Worker } from "node:worker_threads";

const threads: Worker[] = [];
process.on("worker", (thread) => threads.push(thread));
process.on("SIGUSR2", () => {
  for (const thread of threads) if (thread.threadName === process.env["THREAD_TO_END"]) void thread.terminate();
});

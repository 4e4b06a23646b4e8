import type { Embedder } from "@loci/embedding";
import type { Loci, SessionKeyInput, TurnInput } from "@loci/loci";
import { percentile } from "../measure/percentile.ts";
import { openTemporaryLoci } from "../quality/replay.ts";
import type { CaptureDialogue } from "./capture-data.ts";

export interface CaptureSpeed {
  /** Processor time of the capture of 200 turns, the median, in milliseconds. All threads of the process count. */
  readonly processor: number;
  /** The slowest percent of recalls, in milliseconds: without captures, and while ten run. */
  readonly recallAlone: number;
  readonly recallBeside: number;
}

const turnsOfCapture = 200;
const capturesAtOnce = 10;
const repetitions = 7;
/** Recalls of which the 99th percentile is taken. */
const recalls = 600;
const memories = 2_000;

/** What captures take, and what they take from recalls that run beside them, on the turns of labelled conversations. */
export async function captureSpeed(dialogues: readonly CaptureDialogue[], embedder: Embedder): Promise<CaptureSpeed> {
  const said = dialogues.flatMap(({ turns }) => turns);
  await using loci = await openTemporaryLoci(embedder);
  const speed = new SpeedOf(loci, said);
  const processor: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) processor.push(await speed.processorOfCapture());
  await speed.remember();
  await speed.recallTimes(recalls);
  const alone: number[] = [];
  const beside: number[] = [];
  // In turns, so that what else the machine does is in both.
  while (beside.length < recalls) {
    alone.push(...(await speed.recallTimes(recalls / 4)));
    beside.push(...(await speed.recallTimesBesideCaptures()));
  }
  return {
    processor: percentile(processor, 0.5),
    recallAlone: percentile(alone, 0.99),
    recallBeside: percentile(beside, 0.99),
  };
}

class SpeedOf {
  readonly #loci: Loci;
  readonly #said: CaptureDialogue["turns"];
  #sessions = 0;
  #asked = 0;

  constructor(loci: Loci, said: CaptureDialogue["turns"]) {
    this.#loci = loci;
    this.#said = said;
  }

  /** The first ones warm up what compiles: the median leaves them out. */
  async processorOfCapture(): Promise<number> {
    const session = await this.#session();
    const before = process.cpuUsage();
    const { id } = await this.#loci.captures.start({ session });
    await this.#loci.captures.wait(id);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  }

  async remember(): Promise<void> {
    for (let start = 0; start < memories; start += 500) {
      const texts = Array.from({ length: 500 }, (_, index) => `${this.#sentence(start + index)} (${start + index})`);
      await this.#loci.memories.rememberMany(texts.map((text) => ({ text, scope: "user:known" })));
    }
    await this.#loci.settled();
  }

  async recallTimes(count: number): Promise<readonly number[]> {
    const times: number[] = [];
    while (times.length < count) times.push(await this.#recallTime());
    return times;
  }

  /** Recalls one after the other until ten captures, which begin together, are over. */
  async recallTimesBesideCaptures(): Promise<readonly number[]> {
    const sessions: SessionKeyInput[] = [];
    while (sessions.length < capturesAtOnce) sessions.push(await this.#session());
    const captures = { areOver: false };
    const captured = Promise.all(
      sessions.map(async (session) => {
        const { id } = await this.#loci.captures.start({ session });
        await this.#loci.captures.wait(id);
      }),
    ).finally(() => (captures.areOver = true));
    const times: number[] = [];
    while (!captures.areOver) times.push(await this.#recallTime());
    await captured;
    return times;
  }

  async #recallTime(): Promise<number> {
    const query = this.#sentence(7 * this.#asked++);
    const start = performance.now();
    await this.#loci.recall({ query, scopes: ["user:known"], recordUsage: "none" });
    return performance.now() - start;
  }

  #sentence(index: number): string {
    return (this.#said[index % this.#said.length]?.content ?? "").slice(0, 200);
  }

  /** A new session of 200 turns, in a scope of its own. */
  async #session(): Promise<SessionKeyInput> {
    const number = this.#sessions++;
    const key = { scope: `user:speed-${number}`, id: "long" } as const;
    await this.#loci.sessions.create({ ...key, capture: "off" });
    const from = (number * 37) % this.#said.length;
    const turns = Array.from({ length: turnsOfCapture }, (_, index): TurnInput => {
      const { role, content } = this.#said[(from + index) % this.#said.length] as CaptureDialogue["turns"][number];
      return { role: role === "user" ? "user" : "assistant", content, at: 1_770_000_000_000 + index };
    });
    for (let last = 0; last < turnsOfCapture; last += 100)
      await this.#loci.sessions.append(key, { expectedLast: last, turns: turns.slice(last, last + 100) });
    return key;
  }
}

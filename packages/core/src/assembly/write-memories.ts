import { MemoryWriter } from "../knowledge/memory-item.ts";
import { formatOf } from "../rendering/format-of-layout.ts";
import { stepLength, type Steps } from "../recall/steps.ts";
import type { AssemblyInput } from "./assembly-input.ts";
import { keptUnder } from "./read-conversation.ts";
import { TokenMeter } from "./token-meter.ts";

/**
 * Writes long memories down for `assembleContext`, which then finds them in `input.written`: one a step, as escaping and
 * counting a long text takes the thread for some milliseconds.
 */
export function* writeMemoriesSteps(input: AssemblyInput): Steps<void> {
  const { layout, written, recall } = input;
  if (written === undefined || recall === undefined) return;
  const format = formatOf(layout);
  const { count } = new TokenMeter(input, format);
  const writer = new MemoryWriter({ layout, format, count, written, key: keptUnder(input), dateZone: input.dateZone });
  for (const shown of [...(recall.standing ?? []), ...recall.hits])
    if (shown.memory.text.length > stepLength) {
      yield;
      writer.write(shown);
    }
}

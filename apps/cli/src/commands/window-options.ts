import { LociError } from "@loci/domain";
import type { WindowOverrides } from "@loci/loci";

export interface WindowOptions {
  readonly window?: number;
  readonly preset?: string;
  readonly maxWindow?: number;
  readonly budget?: readonly string[];
}

const wholeParts = ["query", "response", "safetyBuffer"] as const;

/**
 * The window's size and the budgets of its parts, such as `system=1500 query=300`.
 *
 * @throws LociError `INVALID_BUDGET` for a part that does not say `NAME=TOKENS`. Which sections there are the layout knows.
 */
export function readWindowOptions(options: WindowOptions): WindowOverrides | undefined {
  const { window, budget = [], maxWindow: maxTokens } = options;
  // Which presets there are core knows.
  const preset = options.preset as WindowOverrides["preset"];
  if (window === undefined && budget.length === 0 && preset === undefined && maxTokens === undefined) return undefined;
  const parts = new Map(budget.map(readPart));
  const sections = new Map(parts);
  for (const part of wholeParts) sections.delete(part);
  return {
    scaleTo: window,
    preset,
    maxTokens,
    sections: Object.fromEntries(sections),
    ...Object.fromEntries(wholeParts.flatMap((part) => (parts.has(part) ? [[part, parts.get(part)]] : []))),
  };
}

function readPart(text: string): readonly [name: string, tokens: number] {
  const [, name, tokens] = /^([\w-]+)=(\d+)$/.exec(text) ?? [];
  if (name !== undefined && tokens !== undefined) return [name, Number(tokens)];
  throw new LociError("INVALID_BUDGET", {
    message: `--budget ${JSON.stringify(text.slice(0, 60))} is not a name and a number of tokens.`,
    field: "budget",
    advice: "Write it as --budget system=1500 query=300.",
  });
}

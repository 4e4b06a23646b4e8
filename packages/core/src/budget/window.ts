import { LociError, type RankProfile, type WindowOverrides } from "@loci/domain";
import type { ResolvedModel } from "../tokens/resolved-model.ts";
import { shareByLargestRemainder } from "./largest-remainder.ts";
import { checkTokenAmount } from "./token-amount.ts";
import { type SectionName, sectionNames, type WindowPresetName, windowPresets } from "./window-presets.ts";

export interface PlanWindowOptions {
  readonly resolved: ResolvedModel;
  readonly overrides?: WindowOverrides | undefined;
  /** Default `conversation`. */
  readonly profile?: RankProfile | undefined;
}

/** A window divided into its parts, in tokens. */
export interface WindowPlan {
  readonly preset: WindowPresetName;
  /** Base budget of each section. */
  readonly sections: Readonly<Record<SectionName, number>>;
  /** 1 is cut last. */
  readonly ranks: Readonly<Record<SectionName, number>>;
  readonly queryTokens: number;
  readonly responseTokens: number;
  readonly safetyBufferTokens: number;
  /** All sections together: the whole without query, response and buffer. */
  readonly sectionsTokens: number;
  readonly totalTokens: number;
}

const ranksByProfile: Readonly<Record<RankProfile, Readonly<Record<SectionName, number>>>> = {
  conversation: { system: 1, project: 2, task: 3, history: 4, knowledge: 5 },
  rag: { system: 1, project: 2, task: 3, knowledge: 4, history: 5 },
};

/**
 * Divides the window: the model's preset, with the overrides in place of its numbers, scaled to `scaleTo` if given.
 *
 * Scaling keeps the proportions of all parts, overridden ones too, by largest remainder; the parts add up to `scaleTo`
 * exactly. A scaled response is at most the model's maximum output; what that frees goes to the other parts.
 *
 * @throws LociError `INVALID_BUDGET` naming the field: a number that is not whole or below 0, a section that does not
 *   exist, parts that cannot be scaled, or a window larger than the model's
 */
export function planWindow(options: PlanWindowOptions): WindowPlan {
  const { resolved, overrides = {}, profile = "conversation" } = options;
  const parts = overriddenParts(resolved.preset, overrides);
  const [system, project, task, history, knowledge, query, response, safetyBuffer] =
    overrides.scaleTo === undefined
      ? parts
      : scaleParts(parts, checkTokenAmount(overrides.scaleTo, "window.scaleTo"), resolved.maxOutputTokens);
  const sections = { system, project, task, history, knowledge };
  const sectionsTokens = system + project + task + history + knowledge;
  const totalTokens = sectionsTokens + query + response + safetyBuffer;
  checkWithinModel(totalTokens, resolved);
  return {
    preset: resolved.preset,
    sections,
    ranks: ranksByProfile[profile],
    queryTokens: query,
    responseTokens: response,
    safetyBufferTokens: safetyBuffer,
    sectionsTokens,
    totalTokens,
  };
}

/**
 * Divides the model's whole window instead of the preset's sum: `planWindow` with `scaleTo` set to it.
 *
 * @throws LociError `INVALID_BUDGET` when the model's window is not known, and as `planWindow` does
 */
export function fillWindow(options: PlanWindowOptions): WindowPlan {
  const { name, contextWindowTokens } = options.resolved;
  if (contextWindowTokens === undefined)
    throw new LociError("INVALID_BUDGET", {
      message: `The window of ${name === undefined ? "an unnamed model" : `the model ${JSON.stringify(name)}`} is not known, so it cannot be filled.`,
      field: "model",
      advice: "Name a known model, or give the size yourself as window.scaleTo.",
    });
  return planWindow({ ...options, overrides: { ...options.overrides, scaleTo: contextWindowTokens } });
}

/** The sections in layout order, then query, response and safety buffer. */
type Parts = readonly [number, number, number, number, number, number, number, number];

const responsePart = 6;

function overriddenParts(presetName: WindowPresetName, overrides: WindowOverrides): Parts {
  const preset = windowPresets[presetName];
  const sections = overrides.sections ?? {};
  for (const name of Object.keys(sections)) {
    if (!(sectionNames as readonly string[]).includes(name)) throw unknownSection(name);
  }
  return [
    part(sections["system"], preset.sections.system, "sections.system"),
    part(sections["project"], preset.sections.project, "sections.project"),
    part(sections["task"], preset.sections.task, "sections.task"),
    part(sections["history"], preset.sections.history, "sections.history"),
    part(sections["knowledge"], preset.sections.knowledge, "sections.knowledge"),
    part(overrides.query, preset.query, "query"),
    part(overrides.response, preset.response, "response"),
    part(overrides.safetyBuffer, preset.safetyBuffer, "safetyBuffer"),
  ];
}

function part(override: number | undefined, preset: number, field: string): number {
  return override === undefined ? preset : checkTokenAmount(override, `window.${field}`);
}

function scaleParts(parts: Parts, total: number, maxOutputTokens: number | undefined): Parts {
  const scaled = shareScaled(total, parts);
  if (maxOutputTokens === undefined || scaled[responsePart] <= maxOutputTokens) return scaled;
  const others = shareScaled(total - maxOutputTokens, parts.with(responsePart, 0) as unknown as Parts);
  return others.with(responsePart, maxOutputTokens) as unknown as Parts;
}

function shareScaled(total: number, weights: Parts): Parts {
  if (weights.every((weight) => weight === 0) && total > 0)
    throw new LociError("INVALID_BUDGET", {
      message: `window.scaleTo asks for ${total} tokens in parts that are all 0.`,
      field: "window.scaleTo",
      advice: "Leave at least one part besides the response above 0.",
    });
  return shareByLargestRemainder(total, weights) as unknown as Parts;
}

function checkWithinModel(total: number, { name, contextWindowTokens }: ResolvedModel): void {
  if (contextWindowTokens === undefined || total <= contextWindowTokens) return;
  throw new LociError("INVALID_BUDGET", {
    message: `The parts of the window add up to ${total} tokens, but ${name ?? "the model"} takes ${contextWindowTokens}.`,
    field: "window",
    advice: `Lower other parts, or set window.scaleTo to at most ${contextWindowTokens}.`,
    details: { neededTokens: String(total), budgetTokens: String(contextWindowTokens) },
  });
}

function unknownSection(name: string): LociError {
  return new LociError("INVALID_BUDGET", {
    message: `window.sections names ${JSON.stringify(name.slice(0, 60))}, which is no section of the layout.`,
    field: `window.sections.${name.slice(0, 60)}`,
    advice: `The sections are ${sectionNames.join(", ")}.`,
  });
}

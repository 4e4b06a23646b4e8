import { LociError, type SectionSource, shownText, type WindowOverrides } from "@loci/domain";
import type { Layout, LayoutSection } from "../layout/layout.ts";
import { memoryBlocks } from "../layout/memory-blocks.ts";
import type { ResolvedModel } from "../tokens/resolved-model.ts";
import { shareByLargestRemainder } from "./largest-remainder.ts";
import { checkTokenAmount } from "./token-amount.ts";
import { type WindowPreset, type WindowPresetName, windowPresets } from "./window-presets.ts";

export interface PlanWindowOptions {
  readonly resolved: ResolvedModel;
  /** Default `memoryBlocks`. */
  readonly layout?: Layout | undefined;
  readonly overrides?: WindowOverrides | undefined;
}

/** What bounds a section in mode `sequential`, in tokens. */
export interface SectionLimits {
  readonly max?: number | undefined;
  readonly floor?: number | undefined;
}

/** A window divided into its parts, in tokens. */
export interface WindowPlan {
  readonly preset: WindowPresetName;
  /** Base budget of each section, by name. In a layout with a total of its own 0, unless the layout or the caller says one. */
  readonly sections: Readonly<Record<string, number>>;
  readonly limits: Readonly<Record<string, SectionLimits>>;
  readonly queryTokens: number;
  readonly responseTokens: number;
  readonly safetyBufferTokens: number;
  /** All sections together: the whole without query, response and buffer. */
  readonly sectionsTokens: number;
  readonly totalTokens: number;
  /**
   * By how much more the window may grow, so that nothing the caller gives is cut while the model has room; 0 when nothing
   * is known of the model. Absent when the caller or the layout has fixed the sizes: then no section takes what others leave
   * but by the waterfall.
   */
  readonly growthTokens?: number | undefined;
}

/**
 * Divides the window: the layout's budgets, where it has none the model's preset, with the overrides in place of their
 * numbers, scaled to `scaleTo`, or to the model's whole window with `fillWindow`. For a known model and without a word
 * about the sizes of sections or the whole, it may grow up to what the model takes, or `maxTokens`.
 *
 * Scaling keeps the proportions of all parts, overridden ones too, by largest remainder; the parts add up to `scaleTo`
 * exactly. Maxima and floors grow and shrink with the sections. A scaled response is at most the model's maximum output;
 * what that frees goes to the other parts.
 *
 * @throws LociError `INVALID_BUDGET` naming the field: a number that is not whole or below 0, a section that does not
 *   exist, an unknown preset, parts that cannot be scaled, or a window larger than the model's
 */
export function planWindow({ resolved, layout = memoryBlocks, overrides = {} }: PlanWindowOptions): WindowPlan {
  const presetName = presetOf(resolved, overrides);
  const given = givenParts(layout, windowPresets[presetName], overrides);
  const target = scaleTarget(resolved, overrides, sum(given));
  const parts = target === undefined ? given : scaleParts(given, target, resolved.maxOutputTokens);
  const { sections } = layout;
  const bases = sections.map((_, index) => parts[index] as number);
  const [rest, query, response, safetyBuffer] = parts.slice(sections.length) as [number, number, number, number];
  const sectionsTokens = sum(bases) + rest;
  const totalTokens = sectionsTokens + query + response + safetyBuffer;
  checkWithinModel(totalTokens, resolved);
  const growthTokens = isSized(layout, overrides)
    ? undefined
    : growthOf(resolved, overrides.maxTokens, totalTokens, sectionsTokens + query + safetyBuffer);
  const scale = target === undefined ? 1 : sectionsTokens / Math.max(1, sum(given.slice(0, sections.length + 1)));
  // The bases say how a total of the layout's own is shared, and add nothing to it.
  const saidBase = (section: LayoutSection): number =>
    Math.floor((overrides.sections?.[section.name] ?? section.base ?? 0) * scale);
  const baseOf = (section: LayoutSection, index: number): number =>
    layout.totalTokens === undefined ? (bases[index] as number) : saidBase(section);
  return {
    preset: presetName,
    sections: Object.fromEntries(sections.map((section, index) => [section.name, baseOf(section, index)])),
    limits: Object.fromEntries(sections.map((section) => [section.name, limitsOf(section, layout, overrides, scale)])),
    queryTokens: query,
    responseTokens: response,
    safetyBufferTokens: safetyBuffer,
    sectionsTokens,
    totalTokens,
    ...(growthTokens === undefined ? {} : { growthTokens }),
  };
}

function presetOf(resolved: ResolvedModel, { preset }: WindowOverrides): WindowPresetName {
  if (preset === undefined) return resolved.preset;
  if (Object.hasOwn(windowPresets, preset)) return preset;
  throw new LociError("INVALID_BUDGET", {
    message: `window.preset is ${shownText(String(preset))}, which is no preset.`,
    field: "window.preset",
    advice: `Use one of ${Object.keys(windowPresets).join(", ")}, or leave it out.`,
  });
}

/** True when the caller has said how large sections or the whole are: what is given then has to fit that. */
function isSized(layout: Layout, { preset, sections = {}, scaleTo, fillWindow }: WindowOverrides): boolean {
  return (
    preset !== undefined ||
    scaleTo !== undefined ||
    fillWindow === true ||
    Object.keys(sections).length > 0 ||
    layout.totalTokens !== undefined ||
    layout.sections.some(({ base }) => base !== undefined)
  );
}

/** 0 for a model of which nothing is known: its preset is all there is to go by. */
function growthOf(
  { known, name, contextWindowTokens, maxInputTokens = Infinity }: ResolvedModel,
  maxTokens: number | undefined,
  totalTokens: number,
  inputTokens: number,
): number {
  if (!known || name === undefined || contextWindowTokens === undefined) return 0;
  const most = Math.min(contextWindowTokens, maxTokens ?? Infinity) - totalTokens;
  return Math.max(0, Math.min(most, maxInputTokens - inputTokens));
}

/**
 * The base of each section, a total that no section has a part in, query, response, safety buffer. Of the bases and the
 * total one or the other is 0.
 */
type Parts = readonly number[];

function givenParts(layout: Layout, preset: WindowPreset, overrides: WindowOverrides): Parts {
  const given: Readonly<Record<string, number | undefined>> = overrides.sections ?? {};
  const { sections, totalTokens } = layout;
  for (const name of Object.keys(given))
    if (!sections.some((section) => section.name === name)) throw unknownSection(name, layout);
  const bases = sections.map((section) => {
    const override = Object.hasOwn(given, section.name) ? given[section.name] : undefined;
    const base = part(override, section.base ?? presetBase(section.source, preset), `sections.${section.name}`);
    return totalTokens === undefined ? base : 0;
  });
  return [
    ...bases,
    totalTokens ?? 0,
    part(overrides.query, preset.query, "query"),
    part(overrides.response, preset.response, "response"),
    part(overrides.safetyBuffer, preset.safetyBuffer, "safetyBuffer"),
  ];
}

/** What a window has for a kind of section. Core memory is what system and project are elsewhere. */
function presetBase(source: SectionSource, { sections }: WindowPreset): number {
  switch (source) {
    case "system":
    case "project":
    case "task":
    case "history":
    case "knowledge":
      return sections[source];
    case "coreMemory":
      return sections.system + sections.project;
    case "teamMemories":
    case "personalMemories":
      return sections.knowledge;
    case "days":
      return sections.history;
    default:
      return sections.project;
  }
}

function limitsOf(section: LayoutSection, layout: Layout, overrides: WindowOverrides, scale: number): SectionLimits {
  const override = layout.totalTokens === undefined ? undefined : overrides.sections?.[section.name];
  const max = override ?? section.max;
  return {
    ...(max === undefined ? {} : { max: Math.floor(max * scale) }),
    ...(section.floor === undefined ? {} : { floor: Math.floor(section.floor * scale) }),
  };
}

function scaleTarget(
  resolved: ResolvedModel,
  { scaleTo, fillWindow, maxTokens }: WindowOverrides,
  totalTokens: number,
): number | undefined {
  const most = maxTokens === undefined ? Infinity : checkTokenAmount(maxTokens, "window.maxTokens");
  const wanted = wantedTarget(resolved, { scaleTo, fillWindow });
  return wanted === undefined && totalTokens <= most ? undefined : Math.min(wanted ?? totalTokens, most);
}

function wantedTarget(resolved: ResolvedModel, { scaleTo, fillWindow }: WindowOverrides): number | undefined {
  if (fillWindow !== true) return scaleTo === undefined ? undefined : checkTokenAmount(scaleTo, "window.scaleTo");
  if (scaleTo !== undefined)
    throw new LociError("INVALID_BUDGET", {
      message: `window.scaleTo is ${scaleTo}, and window.fillWindow asks for the model's whole window.`,
      field: "window.fillWindow",
      advice: "Leave one of the two out.",
    });
  const { name, contextWindowTokens } = resolved;
  if (contextWindowTokens !== undefined) return contextWindowTokens;
  throw new LociError("INVALID_BUDGET", {
    message: `The window of ${name === undefined ? "an unnamed model" : `the model ${shownText(name)}`} is not known, so it cannot be filled.`,
    field: "model",
    advice: "Name a known model, or give the size yourself as window.scaleTo.",
  });
}

function part(override: number | undefined, preset: number, field: string): number {
  return override === undefined ? preset : checkTokenAmount(override, `window.${field}`);
}

function scaleParts(parts: Parts, total: number, maxOutputTokens: number | undefined): Parts {
  const responsePart = parts.length - 2;
  const scaled = shareScaled(total, parts);
  if (maxOutputTokens === undefined || (scaled[responsePart] as number) <= maxOutputTokens) return scaled;
  return shareScaled(total - maxOutputTokens, parts.with(responsePart, 0)).with(responsePart, maxOutputTokens);
}

function shareScaled(total: number, weights: Parts): Parts {
  if (weights.every((weight) => weight === 0) && total > 0)
    throw new LociError("INVALID_BUDGET", {
      message: `The window is to be scaled to ${total} tokens, but its parts are all 0.`,
      field: "window.scaleTo",
      advice: "Leave at least one part besides the response above 0.",
    });
  return shareByLargestRemainder(total, weights);
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

function unknownSection(name: string, { sections }: Layout): LociError {
  return new LociError("INVALID_BUDGET", {
    message: `window.sections names ${shownText(name)}, which is no section of the layout.`,
    field: `window.sections.${name.slice(0, 60)}`,
    advice: `The sections are ${sections.map((section) => section.name).join(", ")}.`,
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0);
}

import {
  checkBoolean,
  checkFields,
  fieldsOf,
  type RankProfile,
  type WaterfallMode,
  type WindowOverrides,
} from "@loci/domain";
import {
  RankProfile as ProtoRankProfile,
  WaterfallMode as ProtoWaterfallMode,
  type WindowOverrides as ProtoWindowOverrides,
} from "../gen/loci/v1/context.ts";
import { Enumeration } from "./enumeration.ts";
import { withoutUndefined } from "./read-value.ts";
import { optionally, writableInt32, writableText } from "./writable-value.ts";

export const rankProfiles: Enumeration<RankProfile, ProtoRankProfile> = new Enumeration({
  conversation: ProtoRankProfile.CONVERSATION,
  rag: ProtoRankProfile.RAG,
});

export const waterfallModes: Enumeration<WaterfallMode, ProtoWaterfallMode> = new Enumeration({
  fill: ProtoWaterfallMode.FILL,
  cascade: ProtoWaterfallMode.CASCADE,
  last: ProtoWaterfallMode.LAST,
  sequential: ProtoWaterfallMode.SEQUENTIAL,
});

const overrideFields = fieldsOf<WindowOverrides>({
  sections: true,
  query: true,
  response: true,
  safetyBuffer: true,
  scaleTo: true,
  fillWindow: true,
  preset: true,
  maxTokens: true,
});

/** @throws LociError `INVALID_REQUEST`, `INVALID_BUDGET` */
export function windowOverridesToProto(overrides: WindowOverrides, field: string): ProtoWindowOverrides {
  checkFields(overrides, overrideFields, field);
  return {
    sections: new Map(
      Object.entries(overrides.sections ?? {}).map(([name, tokens]) => [
        writableText(name, `${field}.sections`, "INVALID_BUDGET"),
        tokensToProto(tokens, `${field}.sections.${name.slice(0, 80)}`),
      ]),
    ),
    query: optionally(overrides.query, `${field}.query`, tokensToProto),
    response: optionally(overrides.response, `${field}.response`, tokensToProto),
    safetyBuffer: optionally(overrides.safetyBuffer, `${field}.safetyBuffer`, tokensToProto),
    scaleTo: optionally(overrides.scaleTo, `${field}.scaleTo`, tokensToProto),
    fillWindow: optionally(overrides.fillWindow, `${field}.fillWindow`, checkBoolean),
    preset: optionally(overrides.preset, `${field}.preset`, (preset, path) =>
      writableText(preset, path, "INVALID_BUDGET"),
    ),
    maxTokens: optionally(overrides.maxTokens, `${field}.maxTokens`, tokensToProto),
  };
}

export function windowOverridesFromProto(overrides: ProtoWindowOverrides): WindowOverrides {
  const { sections, query, response, safetyBuffer, scaleTo, fillWindow, preset, maxTokens } = overrides;
  return withoutUndefined<WindowOverrides>({
    sections: sections.size === 0 ? undefined : Object.fromEntries(sections),
    query,
    response,
    safetyBuffer,
    scaleTo,
    fillWindow,
    // For the engine to check.
    preset: preset as WindowOverrides["preset"],
    maxTokens,
  });
}

/** A number of tokens in a budget. @throws LociError `INVALID_BUDGET` for what is not whole or is 2^31 or more */
export function tokensToProto(tokens: number, field: string): number {
  return writableInt32(tokens, field, "INVALID_BUDGET");
}

import { optional, type RankProfile, type WaterfallMode, type WindowOverrides } from "@loci/domain";
import {
  RankProfile as ProtoRankProfile,
  WaterfallMode as ProtoWaterfallMode,
  type WindowOverrides as ProtoWindowOverrides,
} from "../gen/loci/v1/context.ts";
import { Enumeration } from "./enumeration.ts";
import { field, RequestForm, sameField } from "./request-form.ts";
import { writableBoolean, writableInt32, writableText } from "./writable-value.ts";

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

export const windowOverrides: RequestForm<WindowOverrides, ProtoWindowOverrides> = new RequestForm<
  WindowOverrides,
  ProtoWindowOverrides
>("window", {
  sections: field("sections", sectionsToProto, (sections: ReadonlyMap<string, number>) =>
    sections.size === 0 ? undefined : Object.fromEntries(sections),
  ),
  query: sameField("query", optional(tokensToProto)),
  response: sameField("response", optional(tokensToProto)),
  safetyBuffer: sameField("safetyBuffer", optional(tokensToProto)),
  scaleTo: sameField("scaleTo", optional(tokensToProto)),
  fillWindow: sameField("fillWindow", optional(writableBoolean)),
  preset: field(
    "preset",
    optional((preset: string, path) => writableText(preset, path, "INVALID_BUDGET")),
    // For the engine to check.
    (preset: string | undefined) => preset as WindowOverrides["preset"],
  ),
  maxTokens: sameField("maxTokens", optional(tokensToProto)),
});

function sectionsToProto(sections: WindowOverrides["sections"], path: string): Map<string, number> {
  return new Map(
    Object.entries(sections ?? {}).map(([name, tokens]) => [
      writableText(name, path, "INVALID_BUDGET"),
      tokensToProto(tokens, `${path}.${name.slice(0, 80)}`),
    ]),
  );
}

/** A number of tokens in a budget. @throws LociError `INVALID_BUDGET` for what is not whole or is 2^31 or more */
export function tokensToProto(tokens: number, field: string): number {
  return writableInt32(tokens, field, "INVALID_BUDGET");
}

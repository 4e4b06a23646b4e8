import {
  checkFields,
  type DayLog,
  fieldsOf,
  type LayeredFiles,
  type LayoutDefinition,
  optional,
  type RankProfile,
  type SectionDefinition,
} from "@loci/domain";
import type {
  DayLog as ProtoDayLog,
  LayeredFiles as ProtoLayeredFiles,
  LayoutDefinition as ProtoLayoutDefinition,
  SectionDefinition as ProtoSectionDefinition,
} from "../gen/loci/v1/context.ts";
import { field, listOf, optionalList, optionalWord, RequestForm, sameField } from "./request-form.ts";
import { waterfallModes } from "./window.ts";
import { writableInt32, writablePrompt, writableText } from "./writable-value.ts";

const rankFields = fieldsOf<Record<RankProfile, number>>({ conversation: true, rag: true });

// Words are strings on the wire, for the engine to check.
const section: RequestForm<SectionDefinition, ProtoSectionDefinition> = new RequestForm<
  SectionDefinition,
  ProtoSectionDefinition
>("section", {
  name: sameField("name", name),
  title: sameField("title", optional(name)),
  source: field("source", name, (written: string) => written as SectionDefinition["source"]),
  shortening: field("shortening", name, (written: string) => written as SectionDefinition["shortening"]),
  rank: field("ranking", optional(rankingToProto), optional(rankingFromProto)),
  base: sameField("base", optional(amount)),
  max: sameField("max", optional(amount)),
  floor: sameField("floor", optional(amount)),
  maxItems: sameField("maxItems", optional(amount)),
  maxProcedures: sameField("maxProcedures", optional(amount)),
});
const sections = listOf(section, "INVALID_LAYOUT");

export const layoutDefinition: RequestForm<LayoutDefinition, ProtoLayoutDefinition> = new RequestForm<
  LayoutDefinition,
  ProtoLayoutDefinition
>("layout", {
  name: sameField("name", name),
  rendering: field(
    "rendering",
    optional(name),
    (written: string | undefined) => written as LayoutDefinition["rendering"],
  ),
  mode: optionalWord("mode", waterfallModes),
  totalTokens: sameField("totalTokens", optional(amount)),
  tokenizer: field(
    "tokenizer",
    optional(name),
    (written: string | undefined) => written as LayoutDefinition["tokenizer"],
  ),
  memoryForm: field(
    "memoryForm",
    optional(name),
    (written: string | undefined) => written as LayoutDefinition["memoryForm"],
  ),
  sections: field("sections", sections.write, sections.read),
});

const day: RequestForm<DayLog, ProtoDayLog> = new RequestForm<DayLog, ProtoDayLog>("day", {
  date: sameField("date", writablePrompt),
  text: sameField("text", writablePrompt),
});

export const layeredFiles: RequestForm<LayeredFiles, ProtoLayeredFiles> = new RequestForm<
  LayeredFiles,
  ProtoLayeredFiles
>("files", {
  files: field("files", textsToProto, textsFromProto),
  teamFiles: field("teamFiles", textsToProto, textsFromProto),
  days: optionalList("days", listOf(day)),
});

type Ranking = NonNullable<ProtoSectionDefinition["ranking"]>;

function rankingToProto(rank: NonNullable<SectionDefinition["rank"]>, field: string): Ranking {
  if (typeof rank === "number") return { $case: "rank", value: amount(rank, field) };
  checkFields(rank, rankFields, field);
  const conversation = amount(rank.conversation, `${field}.conversation`);
  return { $case: "ranks", value: { conversation, rag: amount(rank.rag, `${field}.rag`) } };
}

function rankingFromProto(ranking: Ranking): NonNullable<SectionDefinition["rank"]> {
  if (ranking.$case === "rank") return ranking.value;
  const { conversation, rag } = ranking.value;
  return { conversation, rag };
}

function textsToProto(texts: Readonly<Record<string, string>> | undefined, field: string): Map<string, string> {
  if (texts === undefined) return new Map();
  checkFields(texts, new Set(Object.keys(texts)), field);
  return new Map(
    Object.entries(texts).map(([name, text]) => [
      writableText(name, field, "INVALID_REQUEST"),
      writablePrompt(text, `${field}[${JSON.stringify(name)}]`),
    ]),
  );
}

function textsFromProto(texts: ReadonlyMap<string, string>): Readonly<Record<string, string>> | undefined {
  return texts.size === 0 ? undefined : Object.fromEntries(texts);
}

function name(value: string, path: string): string {
  return writableText(value, path, "INVALID_LAYOUT");
}

function amount(value: number, path: string): number {
  return writableInt32(value, path, "INVALID_LAYOUT");
}

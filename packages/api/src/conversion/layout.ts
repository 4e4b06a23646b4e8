import {
  checkFields,
  type DayLog,
  fieldsOf,
  type LayeredFiles,
  type LayoutDefinition,
  type RankProfile,
  type SectionDefinition,
} from "@loci/domain";
import type {
  DayLog as ProtoDayLog,
  LayeredFiles as ProtoLayeredFiles,
  LayoutDefinition as ProtoLayoutDefinition,
  SectionDefinition as ProtoSectionDefinition,
} from "../gen/loci/v1/context.ts";
import { nonEmptyList, withoutUndefined } from "./read-value.ts";
import { waterfallModes } from "./window.ts";
import { optionally, writableInt32, writableList, writablePrompt, writableText } from "./writable-value.ts";

const layoutFields = fieldsOf<LayoutDefinition>({
  name: true,
  rendering: true,
  mode: true,
  totalTokens: true,
  tokenizer: true,
  memoryForm: true,
  sections: true,
});

const sectionFields = fieldsOf<SectionDefinition>({
  name: true,
  title: true,
  source: true,
  shortening: true,
  rank: true,
  base: true,
  max: true,
  floor: true,
  maxItems: true,
  maxProcedures: true,
});

const rankFields = fieldsOf<Record<RankProfile, number>>({ conversation: true, rag: true });
const filesFields = fieldsOf<LayeredFiles>({ files: true, teamFiles: true, days: true });
const dayFields = fieldsOf<DayLog>({ date: true, text: true });

/** @throws LociError `INVALID_LAYOUT`, `INVALID_REQUEST` */
export function layoutToProto(layout: LayoutDefinition, field: string): ProtoLayoutDefinition {
  checkFields(layout, layoutFields, field);
  return {
    name: word(layout.name, `${field}.name`),
    rendering: optionally(layout.rendering, `${field}.rendering`, word),
    mode: waterfallModes.optionalToProto(layout.mode, `${field}.mode`),
    totalTokens: optionally(layout.totalTokens, `${field}.totalTokens`, amount),
    tokenizer: optionally(layout.tokenizer, `${field}.tokenizer`, word),
    memoryForm: optionally(layout.memoryForm, `${field}.memoryForm`, word),
    sections: writableList(layout.sections, `${field}.sections`, "INVALID_LAYOUT").map((section, index) =>
      sectionToProto(section, `${field}.sections[${index}]`),
    ),
  };
}

/** Words are strings on the wire, for the engine to check. */
export function layoutFromProto(layout: ProtoLayoutDefinition, field: string): LayoutDefinition {
  return withoutUndefined<LayoutDefinition>({
    name: layout.name,
    rendering: layout.rendering as LayoutDefinition["rendering"],
    mode: waterfallModes.optionalFromProto(layout.mode, `${field}.mode`),
    totalTokens: layout.totalTokens,
    tokenizer: layout.tokenizer as LayoutDefinition["tokenizer"],
    memoryForm: layout.memoryForm as LayoutDefinition["memoryForm"],
    sections: layout.sections.map(sectionFromProto),
  });
}

/** @throws LociError `INVALID_TEXT`, `INVALID_REQUEST` */
export function layeredFilesToProto(given: LayeredFiles, field: string): ProtoLayeredFiles {
  checkFields(given, filesFields, field);
  return {
    files: textsToProto(given.files, `${field}.files`),
    teamFiles: textsToProto(given.teamFiles, `${field}.teamFiles`),
    days: writableList(given.days ?? [], `${field}.days`).map((day, index) =>
      dayToProto(day, `${field}.days[${index}]`),
    ),
  };
}

export function layeredFilesFromProto({ files, teamFiles, days }: ProtoLayeredFiles): LayeredFiles {
  return withoutUndefined<LayeredFiles>({
    files: files.size === 0 ? undefined : Object.fromEntries(files),
    teamFiles: teamFiles.size === 0 ? undefined : Object.fromEntries(teamFiles),
    days: nonEmptyList(days.map(({ date, text }) => ({ date, text }))),
  });
}

function sectionToProto(section: SectionDefinition, field: string): ProtoSectionDefinition {
  checkFields(section, sectionFields, field);
  const { rank } = section;
  return {
    name: word(section.name, `${field}.name`),
    title: optionally(section.title, `${field}.title`, word),
    source: word(section.source, `${field}.source`),
    shortening: word(section.shortening, `${field}.shortening`),
    ranking: optionally(rank, `${field}.rank`, rankingToProto),
    base: optionally(section.base, `${field}.base`, amount),
    max: optionally(section.max, `${field}.max`, amount),
    floor: optionally(section.floor, `${field}.floor`, amount),
    maxItems: optionally(section.maxItems, `${field}.maxItems`, amount),
    maxProcedures: optionally(section.maxProcedures, `${field}.maxProcedures`, amount),
  };
}

function sectionFromProto(section: ProtoSectionDefinition): SectionDefinition {
  const { name, title, ranking, base, max, floor, maxItems, maxProcedures } = section;
  return withoutUndefined<SectionDefinition>({
    name,
    title,
    source: section.source as SectionDefinition["source"],
    shortening: section.shortening as SectionDefinition["shortening"],
    rank: ranking === undefined ? undefined : rankingFromProto(ranking),
    base,
    max,
    floor,
    maxItems,
    maxProcedures,
  });
}

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

function dayToProto(day: DayLog, field: string): ProtoDayLog {
  checkFields(day, dayFields, field);
  return { date: writablePrompt(day.date, `${field}.date`), text: writablePrompt(day.text, `${field}.text`) };
}

function word(value: string, field: string): string {
  return writableText(value, field, "INVALID_LAYOUT");
}

function amount(value: number, field: string): number {
  return writableInt32(value, field, "INVALID_LAYOUT");
}

import {
  LociError,
  type RecallRequest,
  type ScoreCombination,
  type ScoringProfileChanges,
  type ScoringProfileName,
} from "@loci/domain";
import {
  type RecallOptions,
  ScoreCombination as ProtoScoreCombination,
  type ScoringProfile,
  type ScoringWeights,
} from "../gen/loci/v1/recall.ts";
import { Enumeration } from "./enumeration.ts";
import { withoutUndefined } from "./read-value.ts";
import { optionally, writableDouble, writableText } from "./writable-value.ts";

const combinations: Enumeration<ScoreCombination, ProtoScoreCombination> = new Enumeration({
  product: ProtoScoreCombination.PRODUCT,
  sum: ProtoScoreCombination.SUM,
});

type ProtoProfile = RecallOptions["profile"];

/** @throws LociError `INVALID_CONFIGURATION` for what is neither a name nor settings that are numbers */
export function profileToProto(profile: NonNullable<RecallRequest["profile"]>, field: string): ProtoProfile {
  if (typeof profile === "string")
    return { $case: "profileName", value: writableText(profile, field, "INVALID_CONFIGURATION") };
  return { $case: "profileChanges", value: profileChangesToProto(profile, field) };
}

export function profileFromProto(profile: ProtoProfile): RecallRequest["profile"] {
  switch (profile?.$case) {
    case "profileName":
      return profile.value as ScoringProfileName;
    case "profileChanges":
      return profileChangesFromProto(profile.value);
    case undefined:
      return undefined;
  }
}

export function profileChangesToProto(changes: ScoringProfileChanges, field: string): ScoringProfile {
  const { combination, weights, importanceHalfLifeDays, ...numbers } = checkSettings(changes, field);
  const { recencyHalfLifeHours, importanceFloor, staleFactor, staleWindowMilliseconds, ...others } = numbers;
  const {
    boostPerTag,
    maxBoostingTags,
    neighbourFactor,
    passageShare,
    timeShare,
    speakerBoost,
    assistantFactor,
    rerankShare,
    ...unknown
  } = others;
  refuseUnknown(unknown, field);
  return {
    combination: combinationToProto(combination, `${field}.combination`),
    weights: optionally(weights, `${field}.weights`, weightsToProto),
    recencyHalfLifeHours: settingToProto(recencyHalfLifeHours, `${field}.recencyHalfLifeHours`),
    importanceHalfLifeDays:
      optionally(importanceHalfLifeDays, `${field}.importanceHalfLifeDays`, daysToProto) ?? new Map<string, number>(),
    importanceFloor: settingToProto(importanceFloor, `${field}.importanceFloor`),
    staleFactor: settingToProto(staleFactor, `${field}.staleFactor`),
    staleWindowMilliseconds: settingToProto(staleWindowMilliseconds, `${field}.staleWindowMilliseconds`),
    boostPerTag: settingToProto(boostPerTag, `${field}.boostPerTag`),
    maxBoostingTags: settingToProto(maxBoostingTags, `${field}.maxBoostingTags`),
    neighbourFactor: settingToProto(neighbourFactor, `${field}.neighbourFactor`),
    passageShare: settingToProto(passageShare, `${field}.passageShare`),
    timeShare: settingToProto(timeShare, `${field}.timeShare`),
    speakerBoost: settingToProto(speakerBoost, `${field}.speakerBoost`),
    assistantFactor: settingToProto(assistantFactor, `${field}.assistantFactor`),
    rerankShare: settingToProto(rerankShare, `${field}.rerankShare`),
  };
}

export function profileChangesFromProto(changes: ScoringProfile): ScoringProfileChanges {
  const days = changes.importanceHalfLifeDays;
  return withoutUndefined<ScoringProfileChanges>({
    combination: combinations.optionalFromProto(changes.combination, "profile.combination"),
    weights: weightsFromProto(changes.weights),
    recencyHalfLifeHours: changes.recencyHalfLifeHours,
    importanceHalfLifeDays: days.size === 0 ? undefined : Object.fromEntries(days),
    importanceFloor: changes.importanceFloor,
    staleFactor: changes.staleFactor,
    staleWindowMilliseconds: changes.staleWindowMilliseconds,
    boostPerTag: changes.boostPerTag,
    maxBoostingTags: changes.maxBoostingTags,
    neighbourFactor: changes.neighbourFactor,
    passageShare: changes.passageShare,
    timeShare: changes.timeShare,
    speakerBoost: changes.speakerBoost,
    assistantFactor: changes.assistantFactor,
    rerankShare: changes.rerankShare,
  });
}

function weightsToProto(weights: NonNullable<ScoringProfileChanges["weights"]>, field: string): ScoringWeights {
  const { relevance, recency, importance, frequency, ...unknown } = checkSettings(weights, field);
  refuseUnknown(unknown, field);
  return {
    relevance: settingToProto(relevance, `${field}.relevance`),
    recency: settingToProto(recency, `${field}.recency`),
    importance: settingToProto(importance, `${field}.importance`),
    frequency: settingToProto(frequency, `${field}.frequency`),
  };
}

function weightsFromProto(weights: ScoringWeights | undefined): ScoringProfileChanges["weights"] {
  return weights === undefined ? undefined : withoutUndefined<NonNullable<ScoringProfileChanges["weights"]>>(weights);
}

function daysToProto(days: Readonly<Record<string, number | undefined>>, field: string): Map<string, number> {
  const written = new Map<string, number>();
  for (const [category, value] of Object.entries(checkSettings(days, field)))
    if (value !== undefined)
      written.set(
        writableText(category, field, "INVALID_CONFIGURATION"),
        writableDouble(value, `${field}.${category}`, "INVALID_CONFIGURATION"),
      );
  return written;
}

/** @throws LociError `INVALID_CONFIGURATION`, as the engine has it */
function combinationToProto(combination: ScoreCombination | undefined, field: string): ProtoScoreCombination | 0 {
  if (combination === undefined) return 0;
  const known = combinations.words();
  return combinations.numberOf(combination) ?? refuse(field, `must be one of ${known.join(", ")}`);
}

function settingToProto(value: number | undefined, field: string): number | undefined {
  return value === undefined ? undefined : writableDouble(value, field, "INVALID_CONFIGURATION");
}

function checkSettings<Settings extends object>(settings: Settings, field: string): Settings {
  if (typeof settings === "object" && settings !== null && !Array.isArray(settings)) return settings;
  return refuse(field, "must be an object of settings");
}

function refuseUnknown(settings: object, field: string): void {
  for (const name of Object.keys(settings)) refuse(`${field}.${name.slice(0, 80)}`, "is not a setting");
}

function refuse(field: string, problem: string): never {
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${field} ${problem}.`,
    field,
    advice: "A scoring profile is `balanced`, `archive`, `assistant` or an object with the settings to change.",
  });
}

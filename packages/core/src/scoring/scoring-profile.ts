import {
  LociError,
  type ScoreCombination,
  scoreCombinations,
  type ScoringProfile,
  type ScoringProfileChanges,
  type ScoringProfileName,
  shownText,
} from "@loci/domain";

/**
 * The default: relevance decides what comes in, and everything else only among what is relevant. Between a memory of today
 * and one of long ago recency makes a tenth, so that an old answer stands above a new one that answers less well.
 *
 * Measured on chats of friends, and of people with assistants, over days and months:
 * `docs/decisions/0039-relevance-decides.md`.
 */
const balanced: ScoringProfile = {
  combination: "product",
  weights: { relevance: 0.8, recency: 0.1, importance: 0.05, frequency: 0.05 },
  recencyHalfLifeHours: 720,
  importanceHalfLifeDays: { default: 90, entity: 180, fact: 180, procedure: 135 },
  importanceFloor: 0.1,
  staleFactor: 0.5,
  staleWindowMilliseconds: 3_600_000,
  boostPerTag: 0.1,
  maxBoostingTags: 5,
  neighbourFactor: 0.3,
  passageShare: 0.7,
  timeShare: 0.25,
  speakerBoost: 0.2,
  assistantFactor: 0.5,
  rerankShare: 0.7,
};

/** For knowledge that keeps: when something was said tells nothing about whether it is the answer. */
const archive: ScoringProfile = {
  ...balanced,
  weights: { relevance: 0.9, recency: 0, importance: 0.05, frequency: 0.05 },
};

/** The published formula, with its weights: recency may outweigh relevance. */
const assistant: ScoringProfile = {
  ...balanced,
  combination: "sum",
  weights: { relevance: 0.45, recency: 0.25, importance: 0.2, frequency: 0.1 },
  recencyHalfLifeHours: 168,
};

const shippedProfiles: Readonly<Record<ScoringProfileName, ScoringProfile>> = { balanced, archive, assistant };

/** The profiles that ship. */
export const scoringProfileNames: readonly ScoringProfileName[] = Object.keys(shippedProfiles) as ScoringProfileName[];

/**
 * A shipped profile by name, or `base` with changes.
 *
 * @param profile default: `base` as it is
 * @param base what the changes are applied to, such as a tenant's own profile. Default: `balanced`
 * @throws LociError `INVALID_CONFIGURATION` for an unknown name or setting, and for a number that is not finite, is
 *   negative or is out of its range; `field` is its path, such as `profile.weights.recency`
 */
export function scoringProfile(
  profile?: ScoringProfileName | ScoringProfileChanges,
  base: ScoringProfile = balanced,
): ScoringProfile {
  if (profile === undefined) return base;
  if (typeof profile === "string") return shippedProfile(profile);
  const { weights, importanceHalfLifeDays, ...numbers } = checkObject(profile, "profile");
  const changed: ScoringProfile = {
    ...base,
    ...given(checkObject(numbers, "profile")),
    weights: { ...base.weights, ...given(checkObject(weights ?? {}, "profile.weights")) },
    importanceHalfLifeDays: {
      ...base.importanceHalfLifeDays,
      ...(given(checkObject(importanceHalfLifeDays ?? {}, "profile.importanceHalfLifeDays")) as Readonly<
        Record<string, number>
      >),
    },
  };
  checkProfile(changed);
  return changed;
}

function shippedProfile(name: ScoringProfileName): ScoringProfile {
  if (Object.hasOwn(shippedProfiles, name)) return shippedProfiles[name];
  throw invalid("profile", `is not a profile: ${shownText(name)}`);
}

function checkProfile(profile: ScoringProfile): void {
  const { combination, weights, importanceHalfLifeDays, ...numbers } = profile;
  checkCombination(combination);
  for (const [name, value] of Object.entries(weights)) {
    const field = `profile.weights.${name}`;
    if (!Object.hasOwn(balanced.weights, name)) throw invalid(field, "is not a setting");
    checkNumber(value, field, { least: 0 });
  }
  if (Object.values(weights).every((weight) => weight === 0)) throw invalid("profile.weights", "are all 0");
  for (const [category, days] of Object.entries(importanceHalfLifeDays))
    checkNumber(days, `profile.importanceHalfLifeDays.${category}`, { above: 0 });
  for (const [name, value] of Object.entries(numbers)) {
    const range = ranges[name as keyof typeof ranges];
    if (!Object.hasOwn(ranges, name)) throw invalid(`profile.${name}`, "is not a setting");
    checkNumber(value, `profile.${name}`, range);
  }
  if (!Number.isInteger(profile.maxBoostingTags)) throw invalid("profile.maxBoostingTags", "must be a whole number");
}

interface NumberRange {
  readonly least?: number;
  /** Exclusive. */
  readonly above?: number;
  readonly most?: number;
}

const ranges: Readonly<
  Record<Exclude<keyof ScoringProfile, "combination" | "weights" | "importanceHalfLifeDays">, NumberRange>
> = {
  recencyHalfLifeHours: { above: 0 },
  importanceFloor: { least: 0, most: 1 },
  staleFactor: { least: 0, most: 1 },
  staleWindowMilliseconds: { least: 0, most: 30 * 86_400_000 },
  boostPerTag: { least: 0 },
  maxBoostingTags: { least: 0 },
  neighbourFactor: { least: 0 },
  passageShare: { least: 0, most: 1 },
  timeShare: { least: 0, most: 1 },
  speakerBoost: { least: 0 },
  assistantFactor: { least: 0, most: 1 },
  rerankShare: { least: 0, most: 1 },
};

function checkCombination(combination: ScoreCombination): void {
  if (!scoreCombinations.includes(combination))
    throw invalid("profile.combination", `must be one of ${scoreCombinations.join(", ")}`);
}

function checkNumber(value: unknown, field: string, { least, above, most }: NumberRange): void {
  if (typeof value !== "number" || !Number.isFinite(value))
    throw invalid(field, `must be a finite number, but is ${typeof value === "number" ? value : typeof value}`);
  if (least !== undefined && value < least) throw invalid(field, `must be at least ${least}, but is ${value}`);
  if (above !== undefined && value <= above) throw invalid(field, `must be more than ${above}, but is ${value}`);
  if (most !== undefined && value > most) throw invalid(field, `must be at most ${most}, but is ${value}`);
}

function checkObject<Value extends object>(value: Value, field: string): Value {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw invalid(field, "must be an object of settings");
}

/** The settings that are there: `undefined` means "as it was". */
function given<Settings extends object>(settings: Settings): Given<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Given<Settings>;
}

type Given<Settings> = { readonly [Name in keyof Settings]?: Exclude<Settings[Name], undefined> };

function invalid(field: string, problem: string): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `${field} ${problem}.`,
    field,
    advice: "A scoring profile is `balanced`, `archive`, `assistant` or an object with the settings to change.",
  });
}

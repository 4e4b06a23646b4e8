import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { whereProblem } from "../../parts/where-field.tsx";
import { whereFilter } from "../../text/where-filter.ts";
import type { RecallMemoriesRequestSchema, RecallOptionsSchema, Scope } from "@loci/api-web";

/** The parts of a score whose weights can be tried. */
export const weightNames = ["relevance", "recency", "importance", "frequency"] as const;

/** Where the sliders begin: as the profile that ships has them. */
export const shippedWeights: Readonly<Record<(typeof weightNames)[number], number>> = {
  relevance: 0.8,
  recency: 0.1,
  importance: 0.05,
  frequency: 0.05,
};

/** The profiles that can be asked for; the first is the tenant's own, as agents get it. */
export const profiles = [
  { name: "", title: "as agents get it" },
  { name: "balanced", title: "balanced" },
  { name: "archive", title: "archive" },
  { name: "assistant", title: "assistant" },
  { name: "own", title: "weights of my own" },
] as const;

/** All that a recall of this view is asked by. Equal texts are equal recalls. */
export const recallSettings: readonly string[] = [
  "q",
  "scope",
  "profile",
  "limit",
  "asOf",
  "expected",
  "where",
  ...weightNames,
];

/** The recall that an address asks for, with everything explained. Undefined: nothing is asked yet. */
export function recallRequest(
  settings: URLSearchParams,
  scopes: readonly Scope[],
): MessageInitShape<typeof RecallMemoriesRequestSchema> | undefined {
  const query = settings.get("q") ?? "";
  const where = settings.get("where") ?? "";
  if (query === "" || scopes.length === 0 || whereProblem(where) !== undefined) return undefined;
  const asOf = Date.parse(settings.get("asOf") ?? "");
  const then = Number.isNaN(asOf) ? undefined : timestampFromMs(asOf);
  const expected = settings.get("expected") ?? "";
  const options: MessageInitShape<typeof RecallOptionsSchema> = {
    limit: Number(settings.get("limit") ?? 15) || 15,
    profile: profileOf(settings),
    where: whereFilter(where),
    ...(then === undefined ? {} : { knownAt: then }),
  };
  return {
    question: { case: "query", value: query },
    scopes: [...scopes],
    options,
    explain: true,
    also: expected === "" ? [] : [expected],
    ...(then === undefined ? {} : { evaluationTime: then }),
  };
}

function profileOf(settings: URLSearchParams): NonNullable<MessageInitShape<typeof RecallOptionsSchema>["profile"]> {
  const name = settings.get("profile") ?? "";
  if (name === "") return { case: undefined };
  if (name !== "own") return { case: "profileName", value: name };
  const weights = Object.fromEntries(weightNames.map((name) => [name, weightOf(settings, name)]));
  return { case: "profileChanges", value: { weights } };
}

export function weightOf(settings: URLSearchParams, name: (typeof weightNames)[number]): number {
  return Number(settings.get(name) ?? shippedWeights[name]);
}

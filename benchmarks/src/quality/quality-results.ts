import { contextSizes } from "./context-evidence.ts";
import { cuts, type EvidenceShares, meanOf } from "./evidence-share.ts";
import type { FurtherMeasure } from "./further-measures.ts";
import type { LabelledResults } from "./labelled-results.ts";
import type { SetMeasurement } from "./measure-quality.ts";
import { pairedDifference, type PairedDifference } from "./paired-bootstrap.ts";
import { contextTarget, evidenceTargets } from "./quality-targets.ts";

/** One line of a table: means in percent, at each cut. */
export interface QualityRow {
  readonly name: string;
  readonly all: readonly number[];
  /** Every other question of each conversation: what was chosen was chosen on these. */
  readonly chosenOn: readonly number[];
  /** The rest: only reported. */
  readonly heldOut: readonly number[];
  /** Less the plain baseline over the held-out questions, in points, at each cut. Absent for the baseline. */
  readonly gain?: readonly PairedDifference[];
  /** The same over all questions. */
  readonly gainOverAll?: readonly PairedDifference[];
}

/** Means over the questions of one kind or one store, in percent, at each cut. */
export interface QualityKind {
  readonly kind: string;
  readonly questions: number;
  readonly baseline: readonly number[];
  /** The first variant, which is the default profile. */
  readonly found: readonly number[];
}

export interface QualitySetResults {
  readonly set: string;
  readonly questions: number;
  /** Empty where there is none. */
  readonly target: readonly number[];
  /** The plain search published with the target. Empty where there is none. */
  readonly published: readonly number[];
  readonly baseline: QualityRow;
  /** The default profile first. */
  readonly variants: readonly QualityRow[];
  /** Empty where the data does not tell the kinds of questions. */
  readonly kinds: readonly QualityKind[];
  /** Empty where conversations are not reported for themselves. */
  readonly stores: readonly QualityKind[];
  readonly contexts?: {
    readonly target: readonly number[];
    readonly published: readonly number[];
    /** By the form of memories. */
    readonly rows: readonly QualityRow[];
  };
}

/** What a run writes: everything a table or a page needs. */
export interface QualityResults {
  readonly time: string;
  readonly node: string;
  readonly cuts: readonly number[];
  readonly contextSizes: readonly number[];
  readonly sets: readonly QualitySetResults[];
  readonly further: readonly FurtherMeasure[];
  readonly labelled: readonly LabelledResults[];
}

export function qualityResults(
  measurements: readonly SetMeasurement[],
  further: readonly FurtherMeasure[],
  labelled: readonly LabelledResults[] = [],
): QualityResults {
  return {
    time: new Date().toISOString(),
    node: process.versions.node,
    cuts,
    contextSizes,
    sets: measurements.map(({ set, kinds = [], stores = [], chosenOn, baseline, variants, contexts }) => ({
      set,
      questions: chosenOn.length,
      ...(evidenceTargets[set] ?? { target: [], published: [] }),
      baseline: rowOf("plain baseline, this run", chosenOn, baseline),
      variants: [...variants].map(([name, shares]) => rowOf(name, chosenOn, shares, baseline)),
      kinds: kindsOf(kinds, baseline, [...variants.values()][0] ?? []),
      stores: kindsOf(stores, baseline, [...variants.values()][0] ?? []),
      ...(contexts.size > 0
        ? { contexts: { ...contextTarget, rows: [...contexts].map(([name, shares]) => rowOf(name, chosenOn, shares)) } }
        : {}),
    })),
    further,
    labelled,
  };
}

function kindsOf(
  kinds: readonly string[],
  baseline: readonly EvidenceShares[],
  found: readonly EvidenceShares[],
): readonly QualityKind[] {
  return [...new Set(kinds)].toSorted().map((kind) => {
    const means = (shares: readonly EvidenceShares[]): readonly number[] => {
      const own = shares.filter((_, index) => kinds[index] === kind);
      return cuts.map((_, cut) => meanOf(own.map((row) => 100 * (row[cut] ?? 0))));
    };
    const questions = kinds.filter((other) => other === kind).length;
    return { kind, questions, baseline: means(baseline), found: means(found) };
  });
}

function rowOf(
  name: string,
  chosenOn: readonly boolean[],
  shares: readonly EvidenceShares[],
  baseline?: readonly EvidenceShares[],
): QualityRow {
  const isHeldOut = (_: unknown, index: number): boolean => chosenOn[index] === false;
  const heldOut = shares.filter(isHeldOut);
  const theirs = baseline?.filter(isHeldOut);
  const columns = cuts.map((_, cut) => cut);
  const at = (rows: readonly EvidenceShares[], cut: number): readonly number[] =>
    rows.map((row) => 100 * (row[cut] ?? 0));
  const means = (rows: readonly EvidenceShares[]): readonly number[] => columns.map((cut) => meanOf(at(rows, cut)));
  return {
    name,
    all: means(shares),
    chosenOn: means(shares.filter((_, index) => chosenOn[index] === true)),
    heldOut: means(heldOut),
    ...(theirs === undefined
      ? {}
      : {
          gain: columns.map((cut) => pairedDifference(at(heldOut, cut), at(theirs, cut))),
          gainOverAll: columns.map((cut) => pairedDifference(at(shares, cut), at(baseline ?? [], cut))),
        }),
  };
}

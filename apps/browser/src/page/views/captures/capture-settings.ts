import { CaptureExtractor, type CaptureJob, CaptureState } from "@loci/api-web";

/** The states of captures by their names in the address; the first is the default. */
export const captureStates = [
  { name: "", title: "any", state: undefined },
  { name: "succeeded", title: "succeeded", state: CaptureState.SUCCEEDED },
  { name: "undone", title: "undone", state: CaptureState.UNDONE },
  { name: "queued", title: "waits", state: CaptureState.QUEUED },
  { name: "running", title: "under way", state: CaptureState.RUNNING },
  { name: "failed", title: "failed, is tried again", state: CaptureState.FAILED },
  { name: "dead", title: "failed for good", state: CaptureState.DEAD },
  { name: "cancelled", title: "cancelled", state: CaptureState.CANCELLED },
] as const;

/** Who may be asked in a dry run; the first is who found it then. */
export const extractors = [
  { name: "as then", extractor: CaptureExtractor.UNSPECIFIED },
  { name: "rules", extractor: CaptureExtractor.RULES },
  { name: "model", extractor: CaptureExtractor.MODEL },
] as const;

export function stateTitle(state: CaptureState): string {
  return captureStates.find((known) => known.state === state)?.title ?? "unknown";
}

const looks: Readonly<Partial<Record<CaptureState, string>>> = {
  [CaptureState.SUCCEEDED]: "badge good",
  [CaptureState.FAILED]: "badge warn",
  [CaptureState.DEAD]: "badge danger",
};

/** The class of a badge that says the state. */
export function stateLook(state: CaptureState): string {
  return looks[state] ?? "badge";
}

/** Whether more is to come of it by itself. */
export function isGoingOn({ state }: CaptureJob): boolean {
  return state === CaptureState.QUEUED || state === CaptureState.RUNNING || state === CaptureState.FAILED;
}

import type { CapturedTurn } from "@loci/domain";
import type { DetectionPolicies } from "./detection/policies.ts";
import type { KnownMemory } from "./judge/read-memory.ts";

/** What capture is given. It reads no clock, no store and no model. */
export interface CaptureInput {
  readonly turns: readonly CapturedTurn[];
  /** Turns up to this one are read only to understand those after it. Default 0: all are captured. */
  readonly after?: number | undefined;
  readonly scope: string;
  /** Where statements on the project or team belong. Absent: to `scope`. */
  readonly projectScope?: string | undefined;
  /** What goes into the project's scope is active at once; else it waits. Default false. */
  readonly mayApprove?: boolean | undefined;
  /** Memories in force, of both scopes. */
  readonly memories: readonly KnownMemory[];
  /** Cosine of two texts. Asked for texts of `captureTexts` and of memories. */
  readonly cosineOf: (left: string, right: string) => number;
  readonly gates: {
    readonly duplicate: number;
    /** Cosine from which two texts speak of related things. */
    readonly related: number;
    /** Cosine above which texts are near-identical. Default 0.95. */
    readonly nearIdentical?: number | undefined;
  };
  readonly policies?: DetectionPolicies | undefined;
  /** Texts of memories that contexts of this session have shown. */
  readonly shown?: readonly string[] | undefined;
}

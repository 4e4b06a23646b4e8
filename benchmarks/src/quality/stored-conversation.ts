import type { Category, TurnRole } from "@loci/domain";

/** A line of a data set. */
export interface StoredConversation {
  readonly conv_id: string;
  /** True when its turns are memories of their own, such as notes or facts. Nobody speaks them. */
  readonly areMemories?: boolean;
  /** By speaker. */
  readonly roles?: Readonly<Record<string, TurnRole>>;
  readonly turns: readonly {
    readonly id: string;
    readonly session: number;
    readonly time: string;
    /** Absent of memories. */
    readonly speaker?: string;
    /** Of memories only. Absent there: as nothing is said. */
    readonly category?: Category;
    readonly text: string;
    readonly caption?: string;
  }[];
  readonly qas: readonly {
    readonly question: string;
    readonly category?: string;
    readonly evidence: readonly string[];
    readonly evidence_sessions?: readonly number[];
    /** The turn that asks it. */
    readonly at?: string;
    /** When it is asked, such as `2026-09-02T09:00:00Z`. Absent: as the last turn that is known was said. */
    readonly asked?: string;
    /** Turns that held once and no longer do. */
    readonly replaced?: readonly string[];
  }[];
}

import type { WindowPresetName } from "@loci/domain";

/** The sections of the window, in layout order. */
export const sectionNames = ["system", "project", "task", "history", "knowledge"] as const;

export type SectionName = (typeof sectionNames)[number];

export type { WindowPresetName };

/** How a window is divided, in tokens. */
export interface WindowPreset {
  readonly sections: Readonly<Record<SectionName, number>>;
  /** Reserved for the user's query. */
  readonly query: number;
  /** Reserved for the answer. */
  readonly response: number;
  /** Kept free. */
  readonly safetyBuffer: number;
}

/** Sums: 4,000, 8,192 and 29,000. A preset is named after the smallest window it is meant for, not after its sum. */
export const windowPresets: Readonly<Record<WindowPresetName, WindowPreset>> = {
  "4K": {
    sections: { system: 300, project: 400, task: 300, history: 400, knowledge: 800 },
    query: 500,
    response: 1200,
    safetyBuffer: 100,
  },
  "8K": {
    sections: { system: 500, project: 1000, task: 500, history: 1000, knowledge: 2000 },
    query: 1000,
    response: 2000,
    safetyBuffer: 192,
  },
  "128K": {
    sections: { system: 1000, project: 2000, task: 1000, history: 4000, knowledge: 8000 },
    query: 4000,
    response: 8000,
    safetyBuffer: 1000,
  },
};

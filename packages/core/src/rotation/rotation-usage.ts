/** When a block is rotated: the share of its maximum that must be exceeded. Adaptive thresholds move. */
export const rotationThresholds = { aggressive: 0.7, preservative: 0.9, adaptive: 0.8 } as const;

export type RotationStrategy = keyof typeof rotationThresholds;

export const rotationStrategies: readonly RotationStrategy[] = ["aggressive", "preservative", "adaptive"];

/** How long a block's text is, and may be, in UTF-16 units. */
export interface BlockLength {
  readonly length: number;
  readonly max: number;
}

/** The share that rotation looks at: the human block's of its maximum, or of both blocks' of theirs when that is more. */
export function rotationUsage(human: BlockLength, persona?: BlockLength): number {
  const own = human.length / human.max;
  return persona === undefined ? own : Math.max(own, (human.length + persona.length) / (human.max + persona.max));
}

/** A turn state that says nothing yet, and what stands for a field that is absent: a state of a program that does not know it. */
export const emptyTurnState = {
  turnNumber: 0,
  taskDescription: "",
  currentSubtask: "",
  progress: null,
  actions: [],
  filesRead: [],
  filesWritten: [],
  verifiedFacts: [],
  hypotheses: [],
  rejectedHypotheses: [],
  decisions: [],
  activeConstraints: [],
} as const;

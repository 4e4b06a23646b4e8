/** The content of a memory of which only its text matters, as the log has it. */
export const sampleContent = {
  text: "a",
  category: "fact",
  scope: { kind: "global" },
  importance: 0.5,
  confidence: 1,
  isStatic: false,
  tags: [],
  origin: "manual",
  trust: "trusted",
  metadata: {},
  createdAt: 0,
  updatedAt: 0,
  version: 1,
  state: "active",
};

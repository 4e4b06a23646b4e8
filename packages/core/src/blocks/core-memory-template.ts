/** The headings of a core memory to begin with. */
export const coreMemoryHeadings: readonly string[] = [
  "About me",
  "About the human",
  "Current priorities",
  "Critical rules",
  "Key preferences",
  "Operating principles",
];

/** A core memory to begin with: its limits, what belongs elsewhere, its headings. */
export const coreMemoryTemplate: string = [
  "<!-- BUDGET: 80 lines, 2000 tokens -->",
  "| What | Where it belongs |",
  "| --- | --- |",
  "| Facts that matter now and then | memories, found by recall |",
  "| What is done in this session | the session's turn state |",
  "| How the user likes to work today | the human block |",
  "| How a kind of job is done | procedures |",
  "",
  ...coreMemoryHeadings.flatMap((title) => [`## ${title}`, ""]),
].join("\n");

import type { AssembleRequest, BlockInput } from "@loci/loci";

/** A block of each common kind, about as full as they become. */
export const fiveBlocks: readonly Omit<BlockInput, "owner">[] = [
  { label: "persona", preset: "assistant" },
  {
    label: "human",
    values: {
      name: "Ann",
      role: "swimming coach",
      facts: ["works in Ghent", "owns a sailing boat", "has an allergy to peanuts"],
      preferences: ["short answers", "metric units", "no emoji"],
    },
  },
  {
    label: "core_memory",
    values: { text: "# About me\n\n- I plan trainings\n\n# Critical rules\n\n- Ask before booking" },
  },
  {
    label: "student",
    values: { name: "Ann", background: "Swims since 2010.", strengths: ["patience"], goals: ["a diploma"] },
  },
  { label: "journey", values: { currentStage: "beginning", milestones: ["first lesson"], nextStep: "Learn to dive." } },
];

/** Shows each of them in a section of its own. */
export const fiveBlocksLayout: AssembleRequest["layout"] = {
  name: "five-blocks",
  sections: [
    { name: "system", source: "system", shortening: "never" },
    ...fiveBlocks.map(({ label }) => ({
      name: label,
      source: `block:${label}` as const,
      shortening: "sentences" as const,
    })),
  ],
};

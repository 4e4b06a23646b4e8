import type { Memory, SectionSource } from "@loci/domain";

/** What a memory's place depends on. */
export type RoutableMemory = Pick<Memory, "category" | "scope" | "isStatic" | "isPinned">;

/** Where a memory belongs, and where it goes when it does not fit there. */
export interface MemoryRoute {
  readonly primary: SectionSource;
  readonly secondary?: SectionSource | undefined;
}

const systemThenKnowledge: MemoryRoute = { primary: "system", secondary: "knowledge" };
const projectThenKnowledge: MemoryRoute = { primary: "project", secondary: "knowledge" };
const knowledgeThenProject: MemoryRoute = { primary: "knowledge", secondary: "project" };
const knowledgeOnly: MemoryRoute = { primary: "knowledge" };

/** What holds for every answer stands first, what was found for this question last. */
export function routeMemory(memory: RoutableMemory): MemoryRoute {
  // A procedure stands among those to follow, pinned or not.
  if (memory.isPinned === true && memory.category !== "procedure")
    return memory.scope.kind === "user" ? systemThenKnowledge : projectThenKnowledge;
  switch (memory.category) {
    case "preference":
      return memory.scope.kind === "user" ? systemThenKnowledge : projectThenKnowledge;
    case "fact":
    case "entity":
      return memory.isStatic ? projectThenKnowledge : knowledgeThenProject;
    case "decision":
      return knowledgeThenProject;
    default:
      return knowledgeOnly;
  }
}

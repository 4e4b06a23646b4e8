/** What to do with a file that is none of those that can be imported, as it may hold the memories of another store. */
export const memoriesOfOthers =
  "Memories that mem0, Letta, Zep or LangMem have exported are made into lines for it first: see the guide on coming from them.";

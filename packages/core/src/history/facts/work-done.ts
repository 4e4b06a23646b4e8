import type { ToolCall } from "@loci/domain";
import { singleLine } from "../../rendering/escape.ts";
import { point } from "./shortened-points.ts";
import { longestRead, type SpokenSentence } from "./spoken-sentences.ts";

/** What an assistant does. */
export interface WorkFacts {
  /** What it says it has done or does next. */
  readonly progress: string;
  readonly tools: readonly string[];
  readonly files: readonly string[];
}

const changes = /\b(?:creat|modif|updat|edit|add|chang|writ|wrote|renam|delet|remov|sav|patch|fix|refactor)[a-z]*\b/i;
const changingTool = /(?:edit|write|create|update|patch|apply|save|insert|replace|delete|remove|rename|move)/i;
// A path with a folder, or a name with an extension of source code, text or configuration.
const path =
  /(?<![\w./:@-])(?:~?\/|\.{1,2}\/)?(?:[\w@-][\w.@-]{0,80}\/){0,12}[\w@-][\w.@-]{0,80}\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cpp|cc|c|h|hpp|swift|scala|sh|sql|md|mdx|txt|rst|json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|html?|s?css|vue|svelte|proto|tf|xml|csv|ipynb|Dockerfile)(?![\w/-])/g;

/** @param sentences of an assistant; of anybody else none */
export function workOf(sentences: readonly SpokenSentence[], calls: readonly ToolCall[]): WorkFacts {
  const reports = sentences.filter(({ isQuestion }) => !isQuestion);
  const progress = reports.findLast(({ says }) => says("progress"))?.text;
  const told = reports.flatMap(({ text, says }) => {
    const named = pathsIn(text);
    return named.length > 0 && says("change") ? named : [];
  });
  return {
    progress: progress === undefined ? "" : point(progress),
    tools: calls.map((call) => point(singleLine(call.function.name))),
    files: [...new Set([...calls.flatMap(changedFiles), ...told])],
  };
}

function changedFiles({ function: { name, arguments: given } }: ToolCall): readonly string[] {
  const text = given.slice(0, longestRead);
  // A shell command names its own verb; for other tools their name says whether they change something.
  return changingTool.test(name) || changes.test(text) ? pathsIn(text) : [];
}

function pathsIn(text: string): readonly string[] {
  return Array.from(text.matchAll(path), ([found]) => found);
}

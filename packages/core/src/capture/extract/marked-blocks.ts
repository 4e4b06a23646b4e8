/** `<environment_details>`, alone on its line. */
const opening = /^\s{0,12}<([a-z][\w-]{0,60})(?:\s[^<>]{0,300})?>\s*$/iu;
const closing = /<\/([a-z][\w-]{0,60})>\s*$/iu;

/** So much of a line tells what it is, in UTF-16 units. */
const longestLine = 400;

/** In such a block programs hand on what a person said: `<task>`, `<user_query>`. */
const saidByPeople: ReadonlySet<string> = new Set(
  "task query question message request feedback prompt answer objective goal comment human user".split(" "),
);
/** These are a person's when the name says so: `<user_rules>`, but not `<tool_rules>`. */
const setByPeople: ReadonlySet<string> = new Set("rules instructions preferences".split(" "));
const people: ReadonlySet<string> = new Set("user human custom".split(" "));

/**
 * The lines of blocks between marks such as `<tool_result>` and `</tool_result>`, in which programs hand something to a model. What
 * is handed on in the words of a person is none of them. Linear in the lines.
 */
export function linesOfMarkedBlocks(lines: readonly string[]): ReadonlySet<number> {
  const lastClosing = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const name = closedBy(line);
    if (name !== undefined) lastClosing.set(name, index);
  }
  const inside = new Set<number>();
  let open: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (open === undefined) {
      const name = opening.exec(line.slice(0, longestLine))?.[1]?.toLowerCase();
      if (name !== undefined && !isOfPeople(name) && (lastClosing.get(name) ?? -1) > index) open = name;
    }
    if (open === undefined) continue;
    inside.add(index);
    if (closedBy(line) === open) open = undefined;
  }
  return inside;
}

function closedBy(line: string): string | undefined {
  return closing.exec(line.slice(-longestLine))?.[1]?.toLowerCase();
}

function isOfPeople(name: string): boolean {
  const parts = name.split(/[_-]/u);
  const last = parts.at(-1) ?? "";
  return saidByPeople.has(last) || (setByPeople.has(last) && parts.some((part) => people.has(part)));
}

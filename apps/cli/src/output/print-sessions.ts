import { formatScope } from "@loci/domain";
import type { KeptSession, Turn } from "@loci/loci";
import { counted, formatInstant, oneLine } from "./format-text.ts";
import { printLine } from "./terminal.ts";

const shownTitle = 60;
const shownArguments = 100;

/** One line a session. */
export function printSessionLines(sessions: readonly KeptSession[]): void {
  const width = Math.max(...sessions.map(({ id }) => Math.min(id.length, 40)));
  for (const { id, state, lastTurn, updatedAt, title } of sessions) {
    const turns = counted(lastTurn, "turn").padStart(12);
    printLine(
      `${formatInstant(updatedAt)}  ${state.padEnd(6)} ${turns}  ${oneLine(id, 200).padEnd(width)}  ${oneLine(title ?? "", shownTitle)}`.trimEnd(),
    );
  }
}

/** What is known of a session besides its turns. */
export function printSession(session: KeptSession): void {
  const { id, scope, title, agent, project, capture, rememberTurns, keepSecrets, state, lastTurn } = session;
  const { captureExcept, captureInstructions } = session;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["session", id],
    ["scope", formatScope(scope)],
    ["title", title === undefined ? undefined : oneLine(title, 200)],
    ["agent", agent],
    ["project", project],
    ["state", `${state}, ${counted(lastTurn, "turn")}`],
    ["began", formatInstant(session.createdAt)],
    ["changed", formatInstant(session.updatedAt)],
    [
      "capture",
      typeof capture === "object"
        ? capture.everyTurns === 1
          ? "every turn"
          : `every ${capture.everyTurns} turns`
        : capture,
    ],
    ["except", captureExcept?.join(", ")],
    ["wanted", captureInstructions === undefined ? undefined : oneLine(captureInstructions, 200)],
    ["turns", rememberTurns ? "become memories" : undefined],
    ["secrets", keepSecrets ? "are kept" : undefined],
  ];
  for (const [name, value] of rows) if (value !== undefined) printLine(`${name.padEnd(9)} ${value}`);
}

/** Turns with who said them and when, tool calls on a line each. */
export function printTurns(turns: readonly Turn[]): void {
  for (const { number, role, name, at, content, toolCalls = [], recalled } of turns) {
    const speaker = name === undefined ? role : `${role} ${oneLine(name, shownTitle)}`;
    printLine(`\n#${number} ${speaker}  ${formatInstant(at)}${recalled ? "  (recalled)" : ""}`);
    if (content !== "") printLine(indented(content));
    for (const { function: called } of toolCalls)
      printLine(`  → ${oneLine(called.name, shownTitle)}(${oneLine(called.arguments, shownArguments)})`);
  }
}

/** Behind a margin, so that what was said cannot be taken for a turn of its own. */
function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
}

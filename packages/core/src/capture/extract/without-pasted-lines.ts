const fence = /^[ \t]{0,8}(?:```|~~~)/u;

const codeLine =
  /^\s*(?:<\/?[a-z!]|\/\/|\/\*|\*\/|#include|import\s.*['"]|from\s[\w.]{1,100}\simport\s|(?:const|let|var|def|class|function|async|public|private|return|await)\s.*[;:{(]\s*$|[\])}]+[;,)]*\s*$|\S.*[;{]\s*$|[$>] )/u;

/** Prompts, banners such as `[File: a.py (9 lines total)]`, traces of a stack, and errors by the name of their class. */
const outputLine =
  /^\s*(?:[\w.-]{0,40}[@:~/-][\w.@:~/-]{0,40}[$#]\s*$|\[[^\]]{1,300}\]\s*$|\((?:\d{1,9} (?:more )?lines?|open file:|current directory:)|Traceback \(|File "[^"]{1,300}", line \d|at \S{1,200} \(\S{1,300}:\d|[\w.]{1,80}(?:Error|Exception|Warning): )/iu;

/** `1472:        if value is None:`. A time of day is none. */
const numberedLine = /^\s{0,12}(\d{1,7})(?:[:|\t](?!\d\d\b))/u;

/** So much of a line tells what it is, in UTF-16 units. */
const longestLine = 400;

/**
 * With spaces for blocks and lines of code, and for what programs print: they say nothing of who pastes them, and agents are given what their tools
 * print as if a user had said it. As long as the text, line by line. Takes time linear in the text.
 */
export function withoutPastedLines(text: string): string {
  const lines = text.split("\n");
  const numbers = lines.map((line) => numberedLine.exec(line.slice(0, longestLine))?.[1]);
  let isInside = false;
  return lines
    .map((line, index) => {
      const isFence = fence.test(line.slice(0, 16));
      const isPasted = isInside || isFence || isCodeOrOutput(line, numbers, index);
      if (isFence) isInside = !isInside;
      return isPasted ? " ".repeat(line.length) : line;
    })
    .join("\n");
}

/** A numbered line is of a listing when the one before or after it has the next number, or the rest of it is code. */
function isCodeOrOutput(line: string, numbers: readonly (string | undefined)[], index: number): boolean {
  const start = line.slice(0, longestLine);
  if (codeLine.test(start) || outputLine.test(start)) return true;
  const number = numbers[index];
  if (number === undefined) return false;
  const isNext = (other: number, by: number): boolean => Number(numbers[other] ?? Number.NaN) === Number(number) + by;
  return isNext(index - 1, -1) || isNext(index + 1, 1) || codeLine.test(start.replace(numberedLine, ""));
}

import { linesOfOthers } from "./lines-of-others.ts";

const fence = /^[ \t]{0,8}(?:```|~~~)/u;

/** A line of dashes or the like, above and below what somebody else wrote. */
const rule = /^[ \t]{0,8}(?:-{3,80}|={3,80}|\*{3,80}|_{3,80}|"{3})[ \t]{0,8}$/u;

/** `[00:00:03.500] <err> flash`, `ERROR 2026-03-02T04:11:09Z pay`: with seconds, as nobody says them. */
const loggedLine =
  /^\s{0,12}(?:\[?[A-Z]{4,8}\]?:?\s{1,4})?\[?(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?\s/u;

const codeLine =
  /^\s*(?:<\/?[a-z!]|\/\/|\/\*|\*\/|#include|import\s.*['"]|from\s[\w.]{1,100}\simport\s|(?:const|let|var|def|class|function|async|public|private|return|await)\s.*[;:{(]\s*$|[\])}]+[;,)]*\s*$|\S.*[;{]\s*$|[\w.[\]]{1,60} = [\w.]{1,60}\(.*\)\s*$|\$ |>{1,8}(?: |(?=\p{L})))/u;

/** Prompts, banners such as `[File: a.py (9 lines total)]`, traces of a stack, and errors by the name of their class. */
const outputLine =
  /^\s*(?:[\w.-]{0,40}[@:~/-][\w.@:~/-]{0,40}[$#]\s*$|\[[^\]]{1,300}\]\s*$|\((?:\d{1,9} (?:more )?lines?|open file:|current directory:)|Traceback(?: \(|: )|\[\d{1,6}\] \w{1,40} ['"]|File "[^"]{1,300}", line \d|at \S{1,200} \(\S{1,300}:\d|(?:[-*] )?(?:[A-Z]\d{1,5} )?[\w.]{1,80}(?:Error|Exception|Warning): |\w{1,40}(?:\.\w{1,40}){1,8}: )/iu;

/** `src/total.ts:41:22 - error`, `ERR_OUTDATED  Cannot install`, `Error: exit 1`, `npm ERR! code 1`, ` FAIL  src/total.test.ts`: what compilers, linters, packagers and tests print. */
const toolLine =
  /^\s{0,12}(?:[\w@./\\-]{1,200}\.[a-z]{1,6}[:(]\d{1,7}(?:[:,]\d{1,7})?\)?(?::|\s|$)|[A-Z]{2,20}(?:_[A-Z\d]{1,30}){1,6}(?::|\s{2,8})|(?:[Ff]atal )?(?:Error|ERROR|FATAL|error)(?:\[\w{1,20}\])?: |Thread \d{1,6}: |\w{1,20} (?:ERR!|WARN) |(?:FAIL|PASS|FAILED|PASSED)\s{1,8}\S{1,200}[./:]\S|[\u2713\u2714\u2717\u2718\u00d7\u2715\u2716] )/u;

/** `01-05,B,80,210`, `id;name;total`: a row of a table, which nobody types with a space behind each comma. */
const tableRow = /^[^\s,;|]{0,60}(?:([,;|\t])[^\s,;|]{0,60})(?:\1[^\s,;|]{0,60}){1,100}$/u;

/** `select name from students` */
const query =
  /^\s{0,12}(?:select (?:distinct )?[\w*"`][^;]{0,200} from \w|insert into [\w."`]{1,80} ?\(|create (?:unique )?(?:table|index|view) \w|delete from \w{1,80} where )/iu;

/** `1472:        if value is None:`, `3 | import x`. A time of day is none. */
const numberedLine = /^\s{0,12}(\d{1,7})(?: ?\||[:\t](?!\d\d\b))/u;

/** What goes on behind a line of code: what is indented, assigned, called, or opens a block. */
const codeBehindCode =
  /^(?:[ ]{2}|\t|[\w.[\]"']{1,60} [-+*/]?= \S|[\w.]{1,60}\([^()]{0,200}\)\s*$|(?:if|elif|else|for|while|with|try|except|finally|case)\b.{0,200}[:{]\s*$|(?:return|raise|yield)(?: [\w.()[\]"', -]{1,80})?\s*$|(?:break|continue|pass)\s*$)/u;

/** `@@ -4,3 +4,3 @@`, `--- a/src/total.ts`: from here on lines are added and taken away. */
const beginsChange = /^(?:@@ -\d{1,7}|(?:---|\+\+\+) (?:[ab]\/|\/dev\/null)|diff --git |index [0-9a-f]{6,40}\.\.)/u;
const changedLine = /^(?:[-+ ]|\\ No newline)/u;

/** A quotation or a prompt, which no code follows. */
const markedLine = /^\s*(?:\$ |>{1,8}(?: |(?=\p{L})))/u;

/** So much of a line tells what it is, in UTF-16 units. */
const longestLine = 400;

/**
 * With spaces for blocks and lines of code, for letters, for conversations, for what stands between two rules or marks, and for what programs print: they say
 * nothing of who pastes them, and agents are given what their tools print as if a user had said it. As long as the text, line by line. Takes time linear in the text.
 */
export function withoutPastedLines(text: string): string {
  const lines = text.split("\n");
  const numbers = lines.map((line) => numberedLine.exec(line.slice(0, longestLine))?.[1]);
  const ofOthers = linesOfOthers(lines);
  const lastRule = lines.findLastIndex((line) => isRule(line));
  const isOutput = betweenOutput(lines);
  let isInside = false;
  let isBetweenRules = false;
  let isCode = false;
  let isChange = false;
  return lines
    .map((line, index) => {
      const isFence = fence.test(line.slice(0, 16));
      const start = line.slice(0, longestLine);
      // A blank line ends no listing.
      if (start.trim() !== "") isChange = beginsChange.test(start) || (isChange && changedLine.test(start));
      if (start.trim() !== "") isCode = beginsCode(start) || (isCode && codeBehindCode.test(start));
      const isPasted =
        isInside ||
        isFence ||
        isBetweenRules ||
        isCode ||
        isChange ||
        ofOthers.has(index) ||
        isOutput[index] === true ||
        isListed(line, numbers, index);
      if (isFence) isInside = !isInside;
      // What is divided only once is all of one's own.
      else if (!isInside && isRule(line)) isBetweenRules = !isBetweenRules && index < lastRule;
      return isPasted ? " ".repeat(line.length) : line;
    })
    .join("\n");
}

function beginsCode(line: string): boolean {
  return codeLine.test(line) && !markedLine.test(line);
}

function isRule(line: string): boolean {
  return line.length <= longestRule && rule.test(line);
}

/** In UTF-16 units. */
const longestRule = 96;

/** Which lines programs print: those that look so, and what stands between two of them without a blank line. */
function betweenOutput(lines: readonly string[]): readonly boolean[] {
  const isOutput = lines.map((line) => isPrinted(line.slice(0, longestLine)));
  let last: number | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") last = undefined;
    if (isOutput[index] !== true) continue;
    if (last !== undefined) isOutput.fill(true, last, index);
    last = index;
  }
  return isOutput;
}

function isPrinted(line: string): boolean {
  return [outputLine, toolLine, loggedLine, tableRow, query].some((printed) => printed.test(line));
}

/** A numbered line is of a listing when the one before or after it has the next number, or the rest of it is code. */
function isListed(line: string, numbers: readonly (string | undefined)[], index: number): boolean {
  const start = line.slice(0, longestLine);
  if (codeLine.test(start)) return true;
  const number = numbers[index];
  if (number === undefined) return false;
  const isNext = (other: number, by: number): boolean => Number(numbers[other] ?? Number.NaN) === Number(number) + by;
  return isNext(index - 1, -1) || isNext(index + 1, 1) || codeLine.test(start.replace(numberedLine, ""));
}

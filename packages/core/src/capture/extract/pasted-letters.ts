/** `From: office@pickering.example`, as mail programs head what somebody wrote. */
const header = /^[ \t>*]{0,8}(?:From|To|Cc|Sent|Date|Subject|Reply-To):\*{0,2} \S/u;

/** `Dear Ms Voss,`, alone on its line. */
const salutation =
  /^[ \t>]{0,8}(?:Dear|Hello|Hi|Hey|Good (?:morning|afternoon|evening)) (?:[\p{L}\p{N}.&' -]{1,60})[,!:]?[ \t]{0,8}$/u;

/** `Kind regards,`, alone or before a name. */
const closing =
  /^[ \t>]{0,8}(?:(?:Kind(?:est)?|Best|Warm(?:est)?|Many|With (?:kind|best)) )?(?:[Rr]egards|[Ww]ishes|[Tt]hanks|Best|Yours(?: \p{L}{1,20})?|Sincerely(?: yours)?|Cheers|Respectfully)(?:,|\.)?(?: [\p{L}.&' -]{1,60})?[ \t]{0,8}$/u;

/** What one wrote oneself, or is about to send, is one's own. */
const ownWords =
  /(?<!\p{L})(?:(?:my|our) (?:\p{L}{1,20} )?(?:draft|letter|mail|email|e-mail|message|note|post|reply|answer)|(?:I|we)(?:['\u2019](?:ve|m|re|ll|d))? (?:\p{L}{1,20} )?(?:draft|drafted|wrote|written|sent|send|sending|write))(?!\p{L})/iu;

/** Whether a line that leads to a text says that whoever speaks has written it. Linear in its length. */
export function isOwnText(introduction: string): boolean {
  return ownWords.test(introduction);
}

/** So much of a line tells what it is, in UTF-16 units. */
const longestLine = 200;

/** The name below a closing takes so many lines, in each so many units. */
const longestSignature = 2;
const longestName = 60;

/** From the first line of a letter to behind its last one. */
export type LetterLines = readonly [first: number, end: number];

/**
 * The letters that somebody pastes: below lines such as `From:` and `Subject:`, or from a salutation on that something stands before, to
 * the name below `Kind regards`, or to the end. What `I` is in them is whoever wrote them. Linear in the lines.
 */
export function pastedLetters(lines: readonly string[]): readonly LetterLines[] {
  const letters: LetterLines[] = [];
  let introduction = "";
  for (let index = 0; index < lines.length; index++) {
    const line = (lines[index] ?? "").slice(0, longestLine);
    if (line.trim() === "") continue;
    const isLetter = beginsMail(lines, index) || (introduction !== "" && salutation.test(line));
    if (!isLetter || isOwnText(introduction)) {
      introduction = line;
      continue;
    }
    const end = endOfLetter(lines, index);
    letters.push([index, end]);
    introduction = "";
    index = end - 1;
  }
  return letters;
}

/** Two lines of a head below each other: one alone may be anything. */
function beginsMail(lines: readonly string[], index: number): boolean {
  return [lines[index], lines[index + 1]].every((line) => header.test((line ?? "").slice(0, longestLine)));
}

function endOfLetter(lines: readonly string[], start: number): number {
  let closed = start + 1;
  while (closed < lines.length && !closing.test((lines[closed] ?? "").slice(0, longestLine))) closed++;
  let end = Math.min(closed + 1, lines.length);
  for (let signed = 0; signed < longestSignature && end < lines.length; signed++, end++) {
    const line = (lines[end] ?? "").trim();
    if (line === "" || line.length > longestName || /[.!?:]$/u.test(line)) break;
  }
  return end;
}

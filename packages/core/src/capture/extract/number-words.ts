/** Numbers that are written as words, and ordinals. */
export const amounts: ReadonlyMap<string, number> = new Map(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty`
    .split(" ")
    .map((word, value): [string, number] => [word, value])
    .concat([
      ["thirty", 30],
      ["forty", 40],
      ["fifty", 50],
      ["sixty", 60],
      ["seventy", 70],
      ["eighty", 80],
      ["ninety", 90],
      ["noon", 12],
      ["midnight", 24],
      ["dozen", 12],
      ["single", 1],
    ])
    .concat(
      "first second third fourth fifth sixth seventh eighth ninth tenth"
        .split(" ")
        .map((word, value): [string, number] => [word, value + 1]),
    ),
);

/** The same for `eleven` and `11`, `6th` and `6`; other words as they are. */
export function numberNamed(text: string): string {
  const named = amounts.get(text);
  return named === undefined ? text.replace(/^(\d{1,2})(?:st|nd|rd|th)$/u, "$1") : String(named);
}

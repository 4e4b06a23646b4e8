/** `[TAG] value`, or nothing for an empty value. */
export function taggedLine(tag: string, value: string): string {
  return value === "" ? "" : `[${tag}] ${value}`;
}

/** The value trimmed, each line break in it a space, so that it cannot begin a line of its own. Absent: empty. */
export function oneLine(value: string | null | undefined): string {
  return (value ?? "").trim().replaceAll(/\r\n|[\r\n\u2028\u2029]/g, " ");
}

/** The entries of a list as lines, without empty ones. */
export function filledEntries(entries: readonly string[] | undefined): readonly string[] {
  return (entries ?? []).map(oneLine).filter((entry) => entry !== "");
}

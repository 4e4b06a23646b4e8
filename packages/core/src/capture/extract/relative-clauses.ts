const relative = /^(?:which|that) (?=(?:has|have|is|are|was|were|now|just|recently)(?![\p{L}\p{N}]))/iu;

/** `Which has improved`: says more of what was named before it. */
export function isRelativeClause(text: string): boolean {
  return relative.test(text);
}

/** A clause that says more of something, behind what it says it of. */
export function behindWhatItIsOf(clause: string, named: string): string {
  return `${named}${clause.replace(relative, " ")}`;
}

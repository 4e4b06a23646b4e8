/** What a rule holds for stands behind one of these and who asks, up to the end of the clause: `when I ask about snacks`. */
const condition =
  /(?:^|[^a-z])(?:when(?:ever)?|if|every time|any ?time) (?:i|we)(?:'m| am|'re| are)? [a-z]+(?: (?:you|me))?(?: (?:about|for|on|with|to))? ([^,.;:!?\n]*)/gu;

/**
 * What a standing instruction says that it holds for: of `Always name the platform when I ask about movie options.` it is `movie options`. Empty for one
 * that holds always. In English; takes time linear in the text's length.
 *
 * @param text that holds a standing instruction, and so is short
 */
export function ruleCondition(text: string): string {
  const lower = text.toLowerCase().replaceAll("\u2019", "'");
  return Array.from(lower.matchAll(condition), ([, clause = ""]) => clause).join(" ");
}

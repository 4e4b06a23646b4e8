/** What a rule holds for begins with one of these, and with who asks: `when I ask about snacks`. */
const conditionStart =
  /(?:^|[^a-z])(?:when(?:ever)?|if|every time|any ?time) (?:i|we)(?:'m| am|'re| are)? [a-z]+(?: (?:you|me))?(?: (?:about|for|on|with|to))? /gu;
const conditionEnd = /[,.;:!?\n]/u;

/**
 * What a standing instruction says that it holds for: of `Always name the platform when I ask about movie options.` it is `movie options`. Empty for one
 * that holds always. In English; takes time linear in the text's length.
 *
 * @param text that holds a standing instruction, and so is short
 */
export function ruleCondition(text: string): string {
  const lower = text.toLowerCase().replaceAll("\u2019", "'");
  const clauses: string[] = [];
  for (const { 0: start, index } of lower.matchAll(conditionStart)) {
    const rest = lower.slice(index + start.length);
    const end = rest.search(conditionEnd);
    clauses.push(end < 0 ? rest : rest.slice(0, end));
  }
  return clauses.join(" ");
}

/** The words of a page: how wide its columns and lines are is the formatter's business. */
export function wordsOf(markdown: string): string {
  return markdown.replaceAll(/-{3,}/g, "---").replaceAll(/\s+/g, " ").trim();
}

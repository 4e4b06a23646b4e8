/** Spaces for a text: as long, and with the same line breaks. Takes time linear in it. */
export function blank(text: string): string {
  return text.replace(/[^\n]/gu, (unit) => " ".repeat(unit.length));
}

/** The line that opens a section or an item. Attribute values must be escaped already. */
export function openingLine(
  name: string,
  attributes: readonly (readonly [name: string, value: string])[] = [],
): string {
  let line = `<${name}`;
  for (const [attribute, value] of attributes) line += ` ${attribute}="${value}"`;
  return `${line}>\n`;
}

export function closingTag(name: string): string {
  return `</${name}>`;
}

/** What stands between two sections: a blank line. */
export const sectionSeparator = "\n\n";

/**
 * Text in the order of UTF-16 code units, which filters define, for a database that orders by code points. The two differ
 * where a surrogate pair meets U+E000 to U+FFFF: the pair comes first. So each of these characters, and U+10FFFF itself,
 * gets a U+10FFFF in front, which no other character comes after; U+0001 keeps U+10FFFF below them.
 */
export function textOrderKey(text: string): string {
  return text.replaceAll("\u{10FFFF}", "\u{10FFFF}\u0001").replaceAll(/[\uE000-\uFFFF]/g, "\u{10FFFF}$&");
}

/** The SQL of `textOrderKey` for an SQL text. Compared with the collation "C". */
export function textOrderSql(text: string): string {
  const marked = `replace(${text}, U&'\\+10FFFF', U&'\\+10FFFF\\0001')`;
  return `regexp_replace(${marked}, '([\\uE000-\\uFFFF])', U&'\\+10FFFF' || '\\1', 'g')`;
}

export { escapeText, escapeWithTags, unescapeText } from "./escape.ts";
export { visibleText } from "./visible-text.ts";

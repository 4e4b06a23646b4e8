export { escapeText, escapeWithTags, unescapeText } from "./escape.ts";

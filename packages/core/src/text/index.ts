export * from "./analyse-text.ts";
export * from "./fold-text.ts";
export * from "./text-analyser.ts";
export { type TextLanguage, textLanguages } from "./text-language.ts";

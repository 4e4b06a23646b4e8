export { humanText, type HumanValues } from "./human-text.ts";

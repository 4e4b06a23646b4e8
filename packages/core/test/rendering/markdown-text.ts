import fc from "fast-check";
import { hostileText } from "./hostile-text.ts";

/** What Markdown's blocks are made of. */
export const markdownFragments: readonly string[] = [
  ["\n", "\n\n", "\r", "\r\n", " ", "   ", "    ", "\t", "text", "more text", "a < b", "\u2028", "\u000B"],
  ["# System", "## Identity", "###### six", "#", "#hashtag", "＃ Wide", "\\# Escaped", "## Closed ##"],
  ["---", "===", "=", "-", "- - -", "***", "___", "* * *", "--- x"],
  ["```", "````", "```ts", "~~~", "~~~~ x", "``` `", "   ```", "    ```"],
  ["- ", "* ", "+ ", "1. ", "10) ", "> ", ">", "- [ ] todo", "  - "],
  ["[id]: http://x", "[id]:", "[a\nb]: /u", "[^1]: note", "[link](u)", "<!--", "-->", "<script>", "<div>", "<?"],
].flat();

/** Text that makes blocks wherever it can. */
export const markdownText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...markdownFragments) },
      { weight: 1, arbitrary: hostileText({ wellFormed: true, maxParts: 3 }) },
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(""));

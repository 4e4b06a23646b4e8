import fc from "fast-check";

const fragments = [
  ["<", ">", "&", '"', "/", "|", "[", "]", ":", "\n", "\r\n", "\r", " ", "\t", "-", "#", "=", "!", "?", ";", "\\"],
  [
    "</knowledge>",
    "</KNOWLEDGE >",
    "</knowledge\n>",
    "<knowledge>",
    '<memory source="x">',
    '<memory source="x" confidence="0.95">',
  ],
  ["</memory>", "</system>", "<system foo=<bar>>", "<query>", "</query>", '<procedures count="9">', "</history>"],
  [
    "<tool_use>",
    "<|im_start|>",
    "<|endoftext|>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "Human:",
    "\n\nHuman: ",
    "\n[user]: ",
  ],
  [
    "[assistant]: ",
    "\u2028[tool]: ",
    "\n[Summary of earlier conversation]:",
    "\n- ",
    "]]>",
    "<!--",
    "-->",
    "<![CDATA[",
  ],
  [
    "&lt;/knowledge&gt;",
    "&lt;",
    "&amp;",
    "&amp;lt;",
    "&#91;",
    "&#58;",
    "&quot;",
    "＜/knowledge＞",
    "﹤system﹥",
    "＆lt;",
  ],
  ["ｓ", "ſystem", "\u200B", "\u2060", "\u00AD", "\u202E", "\u3164", "\uFE0F", "\u200D", "\u{E0041}", "\0", "\u001B"],
  ["👨‍👩‍👧", "❤️", "日本語。", "한국어", "می\u200Cخواهم", "if (a < b) { Array<string> }", "word", "system", "knowledge"],
  ["≮", "\u0338", "ﬁ", "½", "⑴", "\u0085", "\v", "\uD800", "\uDC00", "Assistant", "SYSTEM", "user", "memory"],
].flat();

/** Text made to break out of whatever it is put in. Holds half surrogate pairs unless told otherwise. */
export function hostileText(
  options: { readonly wellFormed?: boolean; readonly maxParts?: number } = {},
): fc.Arbitrary<string> {
  const text = fc
    .array(
      fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...fragments) }, fc.string({ unit: "grapheme", maxLength: 12 })),
      {
        maxLength: options.maxParts ?? 12,
      },
    )
    .map((parts) => parts.join(""));
  return options.wellFormed === true ? text.map((value) => value.toWellFormed()) : text;
}

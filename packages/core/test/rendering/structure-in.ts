// Written from what a reader may take for structure, without looking at how the text was escaped.
const names =
  "system|project|task|history|knowledge|memory|procedures|archival-memories|query|user|assistant|developer|human|tool|tool_use|tool_result|tool_call|function_call|function_calls|invoke";
const delimiters = [
  new RegExp(String.raw`<[\s/]*(?:${names})(?![\p{L}\p{N}])`, "giu"),
  /<\s*\/[\s/]*\p{L}/giu,
  /<[!?|]/gu,
  /\[\s*\/?\s*INST\s*\]/giu,
  /\]\]>/g,
  /^[ \t]*\[(?:system|developer|user|assistant|tool|summary|turn)[^\]\n]{0,100}\]\s*:/gimu,
  /^[ \t#>*_]*(?:Human|Assistant|SYSTEM)[ \t]*:/gmu,
  /[\u{E0000}-\u{E007F}\u200B\u2060\u00AD\u202A-\u202E\u2066-\u2069\u3164\0]/gu,
];

const opener = /(?:^|[\s>"'(,;])<\p{L}/gu;

/** Everything in a text that could be read as structure, delimiters also after normalisation. */
export function structureIn(text: string): string[] {
  // The flags of England, Scotland and Wales are written with tag characters.
  const visible = text.replaceAll(/\u{1F3F4}[\u{E0061}-\u{E007A}]+\u{E007F}/gu, "");
  const normalised = visible.normalize("NFKC");
  return [
    ...(visible.match(opener) ?? []),
    ...delimiters.flatMap((pattern) => [...(visible.match(pattern) ?? []), ...(normalised.match(pattern) ?? [])]),
  ];
}

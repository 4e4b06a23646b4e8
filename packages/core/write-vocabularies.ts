/**
 * Writes the vocabularies that this package counts with into `dist`, from gpt-tokenizer: of its 27 MB we need 3. Run by the
 * build. From source they are read where they come from: see `imports` in package.json.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import ofCl100k from "gpt-tokenizer/bpeRanks/cl100k_base";
import ofO200k from "gpt-tokenizer/bpeRanks/o200k_base";
import { packTokens, writeTokens } from "./src/tokens/packed-tokens.ts";

const folder = new URL("dist/vocabularies/", import.meta.url);
const licence = readFileSync(new URL("LICENSE", import.meta.resolve("gpt-tokenizer/package.json")), "utf8");

mkdirSync(folder, { recursive: true });
for (const [name, tokens] of Object.entries({ o200k_base: ofO200k, cl100k_base: ofCl100k })) {
  // Of JSON nothing is kept but its value, which whoever reads the tokens empties. Of a script its text is kept, its literals
  // and, where compiled code is cached, both again.
  writeFileSync(new URL(`${name}.json`, folder), JSON.stringify({ tokens: writeTokens(packTokens(tokens)) }));
  const module = `import written from "./${name}.json" with { type: "json" };\nexport default written;\n`;
  writeFileSync(new URL(`${name}.js`, folder), `/*!\n${licence.trim()}\n*/\n${module}`);
}

import { isPlainObject } from "@loci/domain";
import { bytesOfToken } from "./byte-level-alphabet.ts";
import { type Merge, MergeTable } from "./merge-table.ts";
import { tokenizerFileInvalid } from "./tokenizer-file-error.ts";

/**
 * Reads the `model` of a `tokenizer.json`.
 *
 * @throws LociError `MODEL_FILE_INVALID` for any but a byte-level BPE model that has all 256 bytes
 */
export function readMergeTable(id: string, model: unknown): MergeTable {
  if (!isPlainObject(model)) throw tokenizerFileInvalid(id, "model", "must be an object");
  if (model["type"] !== "BPE")
    throw tokenizerFileInvalid(id, "model.type", `is ${JSON.stringify(model["type"])}, which is not supported`);
  for (const name of ["dropout", "continuing_subword_prefix", "end_of_word_suffix"])
    if (![undefined, null, "", 0].includes(model[name] as undefined))
      throw tokenizerFileInvalid(id, `model.${name}`, "is set, which is not supported");
  const { tokens, indexes } = readTokens(id, model["vocab"]);
  return new MergeTable(tokens, readMerges(id, model["merges"], indexes), model["ignore_merges"] === true);
}

interface Tokens {
  readonly tokens: readonly Uint8Array[];
  readonly indexes: ReadonlyMap<string, number>;
}

function readTokens(id: string, vocab: unknown): Tokens {
  if (!isPlainObject(vocab)) throw tokenizerFileInvalid(id, "model.vocab", "must be an object of tokens");
  const tokens: Uint8Array[] = [];
  const indexes = new Map<string, number>();
  let singleBytes = 0;
  for (const token of Object.keys(vocab)) {
    // Special tokens are written in plain characters; no merge leads to them.
    const bytes = bytesOfToken(token);
    if (bytes === undefined || bytes.length === 0) continue;
    indexes.set(token, tokens.length);
    tokens.push(bytes);
    if (bytes.length === 1) singleBytes++;
  }
  if (singleBytes !== 256)
    throw tokenizerFileInvalid(id, "model.vocab", `has ${singleBytes} of the 256 bytes, so it is not byte-level`);
  return { tokens, indexes };
}

function readMerges(id: string, merges: unknown, indexes: ReadonlyMap<string, number>): readonly Merge[] {
  if (!Array.isArray(merges)) throw tokenizerFileInvalid(id, "model.merges", "must be a list");
  return (merges as readonly unknown[]).map((merge, rank) => {
    const [left, right, ...more] = typeof merge === "string" ? merge.split(" ") : listOf(merge);
    if (typeof left !== "string" || typeof right !== "string" || more.length > 0)
      throw tokenizerFileInvalid(id, `model.merges[${rank}]`, "must name two tokens");
    const token = indexes.get(left + right);
    if (token === undefined || !indexes.has(left) || !indexes.has(right))
      throw tokenizerFileInvalid(id, `model.merges[${rank}]`, "names a token that is not in the vocabulary");
    // Each character of a token stands for one byte.
    return { token, leftBytes: left.length };
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

import { isPlainObject, normalForm, type NormalForm } from "@loci/domain";
import { tokenizerFileInvalid } from "./tokenizer-file-error.ts";

const forms: readonly NormalForm[] = ["NFC", "NFD", "NFKC", "NFKD"];

/**
 * Reads the `normalizer` of a `tokenizer.json`: none, or Unicode normalization forms.
 *
 * @throws LociError `MODEL_FILE_INVALID` for any other
 */
export function readNormalization(id: string, normalizer: unknown): (text: string) => string {
  const applied = formsOf(id, normalizer);
  return (text) => {
    let normalized = text;
    for (const form of applied) normalized = normalForm(normalized, form);
    return normalized;
  };
}

function formsOf(id: string, normalizer: unknown): readonly NormalForm[] {
  if (normalizer === undefined || normalizer === null) return [];
  const type: unknown = isPlainObject(normalizer) ? normalizer["type"] : undefined;
  if (isPlainObject(normalizer) && type === "Sequence" && Array.isArray(normalizer["normalizers"]))
    return normalizer["normalizers"].flatMap((step) => formsOf(id, step));
  const form = forms.find((known) => known === type);
  if (form !== undefined) return [form];
  throw tokenizerFileInvalid(id, "normalizer", `is of the type ${JSON.stringify(type)}, which is not supported`);
}

import { LociError } from "@loci/domain";

/**
 * What is wrong with a `tokenizer.json`.
 *
 * @param id of the counter it was to become
 */
export function tokenizerFileInvalid(id: string, field: string, problem: string): LociError {
  return new LociError("MODEL_FILE_INVALID", {
    message: `${field} of the tokenizer ${id} ${problem}.`,
    field,
    resource: id,
    advice:
      "Byte-level BPE tokenizers are read, such as those of Llama 3, Qwen, Mistral and DeepSeek. For another model name the nearest tokenizer and a safety factor.",
  });
}

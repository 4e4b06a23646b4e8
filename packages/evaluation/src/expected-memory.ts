import { type Memory, type MemoryId, normalForm } from "@loci/domain";

/** A memory in which answers are looked for: its text as it is compared. */
export interface SearchedMemory {
  readonly id: MemoryId;
  readonly comparableText: string;
}

export function searchedMemory({ id, text }: Memory): SearchedMemory {
  return { id, comparableText: comparable(text) };
}

/** An answer that is expected: a memory by its id, or any whose text holds it. */
export class ExpectedMemory {
  /** As it was given. */
  readonly given: string;
  readonly #comparableText: string;

  constructor(given: string) {
    this.given = given;
    this.#comparableText = comparable(given);
  }

  isIn({ id, comparableText }: SearchedMemory): boolean {
    return id === this.given || comparableText.includes(this.#comparableText);
  }
}

/** Without what two ways to write the same words differ by: capitals, white space, forms of a character. */
function comparable(text: string): string {
  return normalForm(text, "NFKC").toLowerCase().replaceAll(/\s+/gu, " ").trim();
}

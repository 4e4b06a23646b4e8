/** What detection finds. The first eight are secrets, the last two personal data. */
export const detectedClasses = [
  "api_key",
  "token",
  "private_key",
  "password",
  "connection_string",
  "card",
  "iban",
  "government_id",
  "email",
  "phone",
] as const;

export type DetectedClass = (typeof detectedClasses)[number];

/**
 * One way in which a secret or personal data is written. What `find` matches, or its group `value` when it has one, is what is
 * redacted.
 */
export interface DetectionPattern {
  /** Unique, for reports of tests. */
  readonly name: string;
  readonly class: DetectedClass;
  /**
   * One of these stands, in lower case, in each text in which it finds something, or so many digits: most texts hold none, and
   * looking for them takes a hundredth of the time.
   */
  readonly needs: readonly string[] | { readonly digits: number };
  /** With the flags `dg`. Every repetition in it is bounded, so that no text makes it slow. */
  readonly find: RegExp;
  /** Tried on the text without white space and hyphens as well. */
  readonly isSqueezed: boolean;
  /** The fewest units that it takes, where words may follow what was pulled apart. */
  readonly least?: number;
  /** Whether what was found is what it looks like: a checksum, or a mix of characters that no word has. */
  readonly accepts?: (value: string) => boolean;
  /** Texts in which it finds something, */
  readonly examples: readonly string[];
  /** and such in which it finds nothing, though they look like it. */
  readonly counterExamples: readonly string[];
}

import { BinaryReader } from "@bufbuild/protobuf/wire";
import { LociError } from "@loci/domain";

/** Messages within a request: those of a batch, and those within each of them. One of two bytes takes hundreds once it is read. */
export const mostMessagesWithin = 65_536;
/** Texts in a request, empty ones too. */
export const mostTextsWithin = 250_000;

/**
 * Reads requests as strangers send them. Text that is not UTF-8 is refused, and so is what has so many parts that reading it would hold up
 * everybody else. Generated decoders take a reader as well as bytes.
 */
export class StrictReader extends BinaryReader {
  #depth = 0;
  #messages = 0;
  #texts = 0;

  /** How many messages were read within the request. */
  get messagesWithin(): number {
    return this.#messages;
  }

  /** Where generated decoders note how deep they are: one deeper for each message that they begin. */
  get __tsProtoDecodeDepth(): number {
    return this.#depth;
  }

  set __tsProtoDecodeDepth(depth: number) {
    if (depth > this.#depth && depth > 1 && ++this.#messages > mostMessagesWithin)
      throw tooMany(`${mostMessagesWithin} messages`);
    this.#depth = depth;
  }

  override string(): string {
    if (++this.#texts > mostTextsWithin) throw tooMany(`${mostTextsWithin} texts`);
    return super.string(true);
  }
}

function tooMany(most: string): LociError {
  return new LociError("MESSAGE_TOO_LARGE", {
    message: `The request has more than ${most} within it.`,
    advice: "Make several calls of it, each with a part.",
  });
}

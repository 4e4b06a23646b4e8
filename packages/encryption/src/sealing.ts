import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
} from "node:crypto";
import { checkEncryptionKeys, encryptionKeyBytes, type EncryptionKeys } from "./encryption-keys.ts";
import { encryptionKeyMissing, sealedTextDamaged } from "./refusals.ts";

/** Where a sealed text stands. Opened anywhere else it is refused. */
export interface SealedPlace {
  /** The name of the tenant; empty for what is of none. */
  readonly tenant: string;
  /** What is unlike in any two places of the tenant: the table, what its row is found by, and the field. */
  readonly path: readonly (string | number)[];
}

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
/** Stands in every derivation and in what is authenticated, so that another form can never be taken for this one. */
const form = "loci-1";
/** Derived keys that are kept: those of so many tenants. */
const mostDerived = 8_192;

/** What keys are derived for. */
type Purpose = "text" | "lookup" | "lookup-nonce" | "word";

interface SealedWith {
  readonly purpose: Purpose;
  readonly id: string;
  readonly nonce: Uint8Array;
}

/**
 * Seals texts with AES-256-GCM, and opens them. Each tenant has keys of its own, derived by HKDF-SHA-256, so that nonces have to
 * be unlike only within one tenant. What is sealed begins with the id of its key: `ID.BASE64URL`.
 */
export class Sealing {
  /** The id of the key that everything new is sealed with. */
  readonly current: string;
  readonly #keys: ReadonlyMap<string, Uint8Array>;
  readonly #derived = new Map<string, KeyObject>();
  /** Random bytes for many nonces: asking for each takes longer than the encryption. */
  readonly #random = Buffer.alloc(nonceBytes * 256);
  #randomUsed = this.#random.length;

  /** @throws LociError `INVALID_CONFIGURATION` */
  constructor(keys: EncryptionKeys) {
    this.#keys = checkEncryptionKeys(keys);
    this.current = keys.current;
  }

  has(id: string): boolean {
    return this.#keys.has(id);
  }

  /** Seals a text under the current key, with a random nonce: the same text is never sealed the same way twice. */
  seal(place: SealedPlace, text: string): string {
    return this.#sealed({ purpose: "text", id: this.current, nonce: this.#nextNonce() }, place, text);
  }

  /**
   * @throws LociError `ENCRYPTION_KEY_MISSING` when its key was not given, `DATA_DIRECTORY_CORRUPT` when it is not what was sealed
   *   for the place
   */
  open(place: SealedPlace, sealed: string): string {
    return this.#opened("text", place, sealed);
  }

  /**
   * Seals a short text so that the same text in the same place is always the same: for columns in which texts are looked up. The
   * nonce is made of the text under a key of its own, so that it is repeated only with the text. Opened by `openLookup`.
   *
   * @param id of the key: all that is to be found by it has to be sealed under the same one
   */
  sealForLookup(id: string, place: SealedPlace, text: string): string {
    const nonce = createHmac("sha256", this.#key("lookup-nonce", id, place.tenant))
      .update(authenticated(id, place))
      .update("\0")
      .update(text)
      .digest()
      .subarray(0, nonceBytes);
    return this.#sealed({ purpose: "lookup", id, nonce }, place, text);
  }

  /** @throws as `open` does */
  openLookup(place: SealedPlace, sealed: string): string {
    return this.#opened("lookup", place, sealed);
  }

  /**
   * What stands for a word in an index: the same for the same word of a tenant, and nothing without the key. It cannot be opened.
   *
   * @param id of the key
   */
  blinded(id: string, tenant: string, kind: string, word: string): string {
    const mac = createHmac("sha256", this.#key("word", id, tenant))
      .update(kind)
      .update("\0")
      .update(word);
    // 120 bits: never the same by chance, and as long as a word.
    return mac.digest("base64url").slice(0, 20);
  }

  #sealed({ purpose, id, nonce }: SealedWith, place: SealedPlace, text: string): string {
    const cipher = createCipheriv(algorithm, this.#key(purpose, id, place.tenant), nonce, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(authenticated(id, place)));
    const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
    return `${id}.${Buffer.concat(parts).toString("base64url")}`;
  }

  #opened(purpose: Purpose, place: SealedPlace, sealed: string): string {
    const id = keyIdOf(sealed);
    if (id === undefined) throw sealedTextDamaged(shown(place));
    const bytes = Buffer.from(sealed.slice(id.length + 1), "base64url");
    if (bytes.length < nonceBytes + tagBytes) throw sealedTextDamaged(shown(place));
    const key = this.#key(purpose, id, place.tenant);
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(authenticated(id, place)));
    decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
    try {
      return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8");
    } catch {
      throw sealedTextDamaged(shown(place));
    }
  }

  #nextNonce(): Uint8Array {
    if (this.#randomUsed === this.#random.length) {
      randomFillSync(this.#random);
      this.#randomUsed = 0;
    }
    return this.#random.subarray(this.#randomUsed, (this.#randomUsed += nonceBytes));
  }

  /** @throws LociError `ENCRYPTION_KEY_MISSING` */
  #key(purpose: Purpose, id: string, tenant: string): KeyObject {
    const name = `${purpose} ${id} ${tenant}`;
    const known = this.#derived.get(name);
    if (known !== undefined) return known;
    const secret = this.#keys.get(id);
    if (secret === undefined) throw encryptionKeyMissing([id]);
    const info = JSON.stringify([form, purpose, tenant]);
    const key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", info, encryptionKeyBytes)));
    if (this.#derived.size >= mostDerived) this.#derived.clear();
    this.#derived.set(name, key);
    return key;
  }
}

/** The id of the key that a text was sealed with. `undefined`: it was not sealed. */
export function keyIdOf(sealed: string): string | undefined {
  // Ids are short: in a long text that was not sealed nobody searches for a dot.
  const dot = sealed.slice(0, 41).indexOf(".");
  return dot < 1 ? undefined : sealed.slice(0, dot);
}

/** As JSON, which no other id, tenant or path gives. */
function authenticated(id: string, { tenant, path }: SealedPlace): string {
  return JSON.stringify([form, id, tenant, ...path]);
}

/** The table, and what finds the row: of texts there is nothing in a path but the plain part of a record, which comes last. */
function shown({ path }: SealedPlace): string {
  return path.slice(0, 3).join(" ");
}

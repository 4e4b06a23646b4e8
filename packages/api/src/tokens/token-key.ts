import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, verify } from "node:crypto";

const prefix = "ed25519:";
/** What stands before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410, section 7). */
const privateKeyHeader = Buffer.from("302e020100300506032b657004220420", "hex");
/** The purpose for which the key is derived: HKDF gives other keys for other purposes (RFC 5869, section 3.2). */
const purpose = "loci delegated token 1";

/** The private key that signs the delegated tokens of an API key: from its 256 random bits by HKDF-SHA-256. */
export function signingKeyOf(apiKey: string): KeyObject {
  const seed = Buffer.from(hkdfSync("sha256", apiKey, "", purpose, 32));
  return createPrivateKey({ key: Buffer.concat([privateKeyHeader, seed]), format: "der", type: "pkcs8" });
}

/** What verifies the delegated tokens of an API key: `ed25519:` and the public key as base64url. It is no secret. */
export function tokenKeyOf(apiKey: string): string {
  const { x = "" } = createPublicKey(signingKeyOf(apiKey)).export({ format: "jwk" });
  return prefix + x;
}

/** The public key in a token key, to verify many tokens with. */
export function publicKeyOf(tokenKey: string): KeyObject {
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: tokenKey.slice(prefix.length) }, format: "jwk" });
}

/** Whether the text was signed by the API key that the public key belongs to. */
export function isSignedBy(publicKey: KeyObject, signedText: string, signature: Uint8Array): boolean {
  return verify(null, Buffer.from(signedText), publicKey, signature);
}

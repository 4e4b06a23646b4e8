export { checkEncryptionKeys, type EncryptionKeys, encryptionKeyBytes } from "./encryption-keys.ts";
export { newEncryptionKey, readEncryptionKeys } from "./key-lines.ts";
export { encryptionKeyMissing, sealedTextDamaged } from "./refusals.ts";
export { keyIdOf, type SealedPlace, Sealing } from "./sealing.ts";

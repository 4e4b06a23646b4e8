// A secret of 32 bytes as base64url is 43 characters.
const apiKeyForm = /^loci_([a-z0-9-]{1,32})_[A-Za-z0-9_-]{43}$/;

/** The id in an API key, or `undefined` for what is not one. */
export function idOfApiKey(key: string): string | undefined {
  return apiKeyForm.exec(key)?.[1];
}

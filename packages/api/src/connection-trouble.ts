const begins = "No connection established. Last error: ";
const note = ". Resolution note: ";

/**
 * What kept a connection from being made, out of what gRPC's library for Node says of it: that it is the last of its errors, and a
 * note on the resolution of the name that is mostly empty, tell nobody anything.
 */
export function connectionTrouble(details: string): string {
  if (!details.startsWith(begins)) return details.trim();
  const end = details.lastIndexOf(note);
  // OpenSSL ends its lines.
  const error = details.slice(begins.length, end < 0 ? undefined : end).trim();
  const resolution = end < 0 ? "" : details.slice(end + note.length).trim();
  const cause = error.startsWith("Error: ") ? error.slice("Error: ".length) : error;
  return resolution === "" ? cause : `${cause} (${resolution})`;
}

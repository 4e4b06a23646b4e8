/** What can happen in a conversation. */
export type Happening =
  | "answer"
  | "stream"
  | "tool"
  | "image"
  | "failure"
  | "stop"
  | "repetition"
  | "restart"
  | "silent loci"
  | "nobody speaks"
  | "at once";

let isAnswer = false;

/**
 * Reads an answer: what a later contract has for a word is passed on, as a client may be older than its server. A request is
 * read without this, and refused for it.
 *
 * @param read synchronous
 */
export function readAnswer<Result>(read: () => Result): Result {
  const before = isAnswer;
  isAnswer = true;
  try {
    return read();
  } finally {
    isAnswer = before;
  }
}

/** Whether it is an answer that is being read. */
export function readsAnswer(): boolean {
  return isAnswer;
}

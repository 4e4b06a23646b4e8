import { LociError } from "@loci/domain";

/**
 * What a function of the application says. A function that reads from a request what is not in it fails by itself, and says nothing that
 * helps: that is a call for which nobody said who speaks.
 *
 * @throws LociError `SCOPE_REQUIRED`, with what went wrong as its cause; anything else that the function throws
 */
export async function askedApplication<Request, Answer>(
  ask: (request: Request) => Answer | Promise<Answer>,
  request: Request,
): Promise<Answer> {
  try {
    return await ask(request);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new LociError("SCOPE_REQUIRED", {
      message:
        "The function conversation failed with a TypeError, as where a request has not what it reads. The model was not called.",
      field: "conversation",
      advice: "Call the agent with what the function reads, such as its context; the cause says what was not there.",
      cause: error,
    });
  }
}

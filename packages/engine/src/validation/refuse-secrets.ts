import { defaultPolicies, detect } from "@loci/core";
import { LociError } from "@loci/domain";

/**
 * Refuses text that a model has chosen to keep, when it holds a secret. The error names the class and never the text.
 *
 * @throws LociError `SECRET_REFUSED`
 */
export function refuseSecrets(texts: readonly string[], field: string): void {
  const found = texts.flatMap((text) => detect(text)).find((each) => defaultPolicies[each.class] === "refuse");
  if (found === undefined) return;
  throw new LociError("SECRET_REFUSED", {
    message: `${field} holds a secret of the class ${found.class}.`,
    field,
    advice: "Leave it out: what is remembered is shown to models.",
  });
}

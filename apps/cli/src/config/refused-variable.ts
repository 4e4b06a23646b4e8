import { LociError } from "@loci/domain";

/** @param wanted such as `a number from 0 to 1` */
export function refusedVariable(variable: string, wanted: string): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `${variable} is not ${wanted}.`,
    field: variable,
    advice: "Set another one, or none.",
  });
}

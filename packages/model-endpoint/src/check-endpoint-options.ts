import { LociError } from "@loci/domain";
import type { EndpointPurpose, ModelEndpointOptions } from "./model-endpoint-options.ts";

/** Options with their defaults filled in. */
export interface CheckedEndpoint {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly attemptTimeLimit: number;
  readonly maxRetries: number;
  readonly firstRetryDelay: number;
  readonly maxReplyBytes: number;
}

/** @throws LociError `INVALID_CONFIGURATION` with the field at fault and never its value, which may be a secret */
export function checkEndpointOptions(options: ModelEndpointOptions, purpose: EndpointPurpose): CheckedEndpoint {
  const { apiKey, model } = options;
  const refuse = (field: string, problem: string): never => refuseOption(purpose, field, problem);
  if (typeof model !== "string" || model === "" || !model.isWellFormed()) refuse("model", "must be a model's name");
  // A header with a line break in it would make fetch throw an error that quotes the key.
  if (apiKey !== undefined && (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)))
    refuse("apiKey", "must be printable ASCII without spaces");
  const wholeNumber = (field: string, value: number, low: number, high: number): number =>
    Number.isInteger(value) && value >= low && value <= high
      ? value
      : refuse(field, `must be a whole number from ${low} to ${high}`);
  return {
    url: urlOf(options.baseUrl, purpose),
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    attemptTimeLimit: wholeNumber("attemptTimeLimit", options.attemptTimeLimit ?? 60_000, 1, 3_600_000),
    maxRetries: wholeNumber("maxRetries", options.maxRetries ?? 2, 0, 10),
    firstRetryDelay: wholeNumber("firstRetryDelay", options.firstRetryDelay ?? 500, 0, 60_000),
    maxReplyBytes: wholeNumber("maxReplyBytes", options.maxReplyBytes ?? 10_000_000, 1, 1_000_000_000),
  };
}

/** @throws LociError `INVALID_CONFIGURATION`, always */
export function refuseOption({ name }: Pick<EndpointPurpose, "name">, field: string, problem: string): never {
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${field} of the ${name} ${problem}.`,
    field,
    advice: `Correct the configuration of the ${name}.`,
  });
}

function urlOf(baseUrl: string, purpose: EndpointPurpose): URL {
  const url = URL.parse(baseUrl);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return refuseOption(purpose, "baseUrl", "must be an http or https URL");
  if (url.username !== "" || url.password !== "")
    return refuseOption(purpose, "baseUrl", "must hold no user name and no password");
  url.hash = "";
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, "")}/${purpose.path}`;
  return url;
}

import { failsWith, type ModelAnswer } from "@loci/model-endpoint/testing";

/** Refuses requests that have a field, as OpenAI's server does with `max_tokens` for its reasoning models; others are answered. */
export function refusesField(field: string, otherwise: ModelAnswer): ModelAnswer {
  const error = {
    message: `Unsupported parameter: '${field}' is not supported with this model.`,
    type: "invalid_request_error",
    param: field,
    code: "unsupported_parameter",
  };
  const refusal = failsWith(400, {}, JSON.stringify({ error }));
  return (response, request) => (field in request.body ? refusal : otherwise)(response, request);
}

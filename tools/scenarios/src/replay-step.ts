import {
  type DescMethod,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import type { Loci } from "@loci/client";
import { type StreamCall, type ServedOperations, servedServices } from "@loci/server";
import { contract, hasManyAnswers, isPaged, methodOf } from "./contract.ts";
import type { ScenarioStep } from "./scenario-step.ts";

/** Whom a step calls. */
export interface CalledLoci {
  readonly loci: Loci;
  readonly operations: ServedOperations;
}

type Caller = (request: JsonObject, call: StreamCall) => AsyncIterable<JsonObject> | Promise<JsonObject>;

/**
 * Makes the call of a step on the interface of Loci.
 *
 * The server's own methods turn the request into the arguments of the interface, and its result into the answer: they do not
 * care where the Loci they call is.
 *
 * @returns the answer, or the answers, as protobuf's JSON
 * @throws LociError what the call was rejected with
 */
export async function replayStep(
  { call, request, take = Infinity, timeoutMilliseconds }: ScenarioStep,
  { loci, operations }: CalledLoci,
): Promise<{ readonly answer: JsonObject } | { readonly answers: readonly JsonObject[] }> {
  const method = methodOf(call);
  const answer = callerOf(method, operations);
  const deadline = timeoutMilliseconds === undefined ? undefined : Date.now() + timeoutMilliseconds;
  const methodCall = {
    loci,
    options: { signal: new AbortController().signal, deadline },
    // Nobody else is served meanwhile.
    keep: () => undefined,
  } as unknown as StreamCall;
  if (!hasManyAnswers(method)) return { answer: await (answer(request, methodCall) as Promise<JsonObject>) };
  const many = isPaged(method)
    ? pagesOf(request, (page) => answer(page, methodCall) as Promise<JsonObject>)
    : (answer(request, methodCall) as AsyncIterable<JsonObject>);
  const answers: JsonObject[] = [];
  for await (const one of many) {
    answers.push(one);
    if (answers.length >= take) break;
  }
  return { answers };
}

async function* pagesOf(
  request: JsonObject,
  answer: (page: JsonObject) => Promise<JsonObject>,
): AsyncGenerator<JsonObject, void, undefined> {
  let page = request;
  for (;;) {
    const one = await answer(page);
    yield one;
    const next: JsonValue | undefined = one["nextPageToken"];
    if (typeof next !== "string" || next === "") return;
    page = { ...request, pageToken: next };
  }
}

/** The method that answers a call on the server, from JSON to JSON. */
function callerOf({ input, output, localName, parent }: DescMethod, operations: ServedOperations): Caller {
  const path = `/${parent.typeName}/`;
  const service = servedServices(operations).find(({ definition }) =>
    Object.values(definition).some((each) => each.path.startsWith(path)),
  );
  const definition = service?.definition[localName];
  const method = service?.methods[localName] as
    | ((request: unknown, call: StreamCall) => AsyncIterable<unknown> | Promise<unknown>)
    | undefined;
  if (definition === undefined || method === undefined) throw new Error(`no server answers ${path}${localName}`);
  const read = (response: unknown): JsonObject =>
    toJson(output, fromBinary(output, definition.responseSerialize(response)), { registry: contract }) as JsonObject;
  return (request, call) => {
    const bytes = toBinary(input, fromJson(input, request, { registry: contract }));
    const answered = method(definition.requestDeserialize(Buffer.from(bytes)), call);
    return Symbol.asyncIterator in answered ? eachRead(answered, read) : answered.then(read);
  };
}

async function* eachRead(
  answers: AsyncIterable<unknown>,
  read: (response: unknown) => JsonObject,
): AsyncGenerator<JsonObject, void, undefined> {
  for await (const answer of answers) yield read(answer);
}

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CaptureJob, ListCapturesRequestSchema } from "@loci/api-web";
import { captures } from "../../api/calls.ts";
import { millisecondsOf } from "../../text/times.ts";
import { readScope } from "../../text/scopes.ts";
import { captureStates } from "./capture-settings.ts";

const pageSize = 1_000;
/** They are put into an order here, so all have to be there. */
const mostPages = 10;

export interface ListedCaptures {
  /** The newest first. */
  readonly captures: readonly CaptureJob[];
  /** There are more than the page holds. */
  readonly hasMore: boolean;
}

/** The captures that an address asks for. */
export async function listedCaptures(settings: URLSearchParams, signal: AbortSignal): Promise<ListedCaptures> {
  const request = { ...listRequest(settings), pageSize };
  const found: CaptureJob[] = [];
  let pageToken = "";
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await captures.listCaptures({ ...request, pageToken }, { signal });
    found.push(...page.captures);
    pageToken = page.nextPageToken;
    if (pageToken === "") break;
  }
  return { captures: found.toSorted((one, other) => timeOf(other) - timeOf(one)), hasMore: pageToken !== "" };
}

function listRequest(settings: URLSearchParams): MessageInitShape<typeof ListCapturesRequestSchema> {
  const scope = readScope(settings.get("scope") ?? "");
  const { state } = captureStates.find(({ name }) => name === settings.get("state")) ?? captureStates[0];
  return {
    ...(scope === undefined ? { allScopes: true } : { scopes: [scope] }),
    states: state === undefined ? [] : [state],
  };
}

export function timeOf({ createTime }: CaptureJob): number {
  return createTime === undefined ? 0 : millisecondsOf(createTime);
}

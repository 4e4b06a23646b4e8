import {
  authorize,
  type CallOptions,
  checkFields,
  fieldsOf,
  formatScope,
  type ListMemoriesRequest,
  type ListMemoriesResult,
  parseInstant,
  parseScopes,
  type Principal,
} from "@loci/domain";
import type { EngineServices } from "./engine-services.ts";
import { memoryViews } from "./memory-view.ts";
import { formatPageToken, parsePageToken } from "./page-token.ts";
import { checkCategories } from "./validation/validate-labels.ts";
import { checkWholeNumber } from "./validation/validate-number.ts";

const listFields = fieldsOf<ListMemoriesRequest>({
  scopes: true,
  categories: true,
  pageSize: true,
  pageToken: true,
  evaluationTime: true,
});

const defaultPageSize = 50;
const maxPageSize = 1_000;

/** Active memories, newest creation first, a page at a time. */
export async function listMemories(
  services: EngineServices,
  principal: Principal,
  request: ListMemoriesRequest,
  call: CallOptions,
): Promise<ListMemoriesResult> {
  checkFields(request, listFields, "request");
  const scopes = parseScopes(request.scopes);
  const categories = request.categories === undefined ? undefined : checkCategories(request.categories, "categories");
  const pageSize =
    request.pageSize === undefined
      ? defaultPageSize
      : checkWholeNumber(request.pageSize, "pageSize", { least: 1, most: maxPageSize });
  const asked =
    request.evaluationTime === undefined ? undefined : parseInstant(request.evaluationTime, "evaluationTime");
  authorize(principal, "read", scopes);
  const query = [principal.tenant, scopes.map(formatScope), categories];
  const position = request.pageToken === undefined ? undefined : parsePageToken(request.pageToken, query);
  const evaluationTime = position?.evaluationTime ?? asked ?? services.clock();

  // One more than asked for tells whether there is another page.
  const limit = pageSize + 1;
  const stored = await services.ledger.list(
    principal.tenant,
    { scopes, categories, evaluationTime, limit, after: position?.after },
    call,
  );
  const page = stored.slice(0, pageSize);
  const last = page.at(-1);
  const memories = await memoryViews(services.ledger, principal.tenant, services.space, page);
  if (stored.length <= pageSize || last === undefined) return { memories };
  const after = { createdAt: last.memory.createdAt, ref: last.memory.id };
  return { memories, nextPageToken: formatPageToken({ evaluationTime, after }, query) };
}

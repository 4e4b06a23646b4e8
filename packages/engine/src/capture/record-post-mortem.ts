import {
  asGiven,
  authorize,
  checksOf,
  LociError,
  type Memory,
  type MemoryRecord,
  parseScope,
  type PostMortemInput,
} from "@loci/domain";
import type { Change } from "@loci/ledger";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { contentHashOf } from "../calls/content-hash.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { embeddingsOfRecord, memoriesOfResults } from "../memories/commit-memories.ts";
import { newMemory } from "../memories/remember.ts";
import { checkRememberInput } from "../memories/validate-remember-input.ts";
import { refuseSecrets } from "../validation/refuse-secrets.ts";
import type { CaptureServices } from "./capture-services.ts";
import { reviewOf, reviewWritten } from "../memories/stored-review.ts";

/** In UTF-16 units. */
const longestFailure = 500;
const longestLesson = 600;
const mostTags = 8;

const check = checksOf<PostMortemInput>()("input", {
  scope: parseScope,
  failure: (failure, path) => checkLength(failure, path, longestFailure),
  lesson: (lesson, path) => checkLength(lesson, path, longestLesson),
  // Checked as those of a memory.
  tags: asGiven,
});

/** Remembers a lesson: approved by who may approve, else waiting for that. */
export async function recordPostMortem(services: CaptureServices, call: Call, input: PostMortemInput): Promise<Memory> {
  const { principal, signal } = call;
  const { tenant } = principal;
  const { scope, failure, lesson: text, tags = [] } = check(input);
  authorize(principal, "write", [scope]);
  const checked = checkRememberInput(
    { text, scope, tags, category: "procedure", origin: "post_mortem", importance: 0.9, metadata: { failure } },
    "input",
  );
  if (tags.length > mostTags) throw tooManyTags(tags.length);
  services.metadata.checkMetadata(checked.metadata, "metadata");
  await refuseSecrets({ texts: [text, failure, ...tags], field: "lesson" }, services.detection, () =>
    services.thread.next(call.principal.tenant, call.signal),
  );
  const now = services.clock();
  const isApproved = principal.roles.includes("approve") || principal.roles.includes("admin");
  const memory: MemoryRecord = {
    ...newMemory(services.ids.next(now), now, checked),
    ...(isApproved ? { approvedBy: principal.subject, approvedAt: now } : { state: "quarantined" }),
  };
  const contentHash = contentHashOf(text);
  const texts = { texts: new Map([[contentHash, text]]), known: [] };
  const { nextSpace, ledger } = services;
  const [embeddings, further] = await Promise.all([
    embeddingsOfRecord(services, tenant, texts, signal),
    nextSpace && embeddingsOfRecord({ ...nextSpace, ledger }, tenant, texts, signal),
  ]);
  const written: Change = { type: "memoryWritten", memory, contentHash };
  const review = isApproved
    ? []
    : [reviewWritten(reviewOf(memory, { reason: "APPROVAL_REQUIRED", now, replaces: undefined, capture: undefined }))];
  const { results } = await ledger.commit(
    {
      ...authoredBy(principal),
      idempotency: idempotencyOf("recordPostMortem", input, call.options),
      expect: [{ ref: memory.id, version: 0 }],
      changes: [written, ...review],
      embeddings: [...(embeddings ?? []), ...(further ?? [])],
    },
    { signal },
  );
  if (embeddings === undefined) services.repair.add(tenant, [memory]);
  if (nextSpace !== undefined && further === undefined) nextSpace.repair.add(tenant, [memory]);
  const [made] = await memoriesOfResults(services, tenant, results.slice(0, 1));
  if (made === undefined)
    throw new LociError("MEMORY_ERASED", {
      message: "What this request stored was erased.",
      advice: "Use a new request id to store something anew.",
    });
  return made;
}

function checkLength(text: unknown, field: string, most: number): string {
  if (typeof text === "string" && text.trim() !== "" && text.length <= most) return text;
  throw new LociError("INVALID_REQUEST", {
    message: `${field} must be a text of 1 to ${most} UTF-16 units.`,
    field,
    advice: "Say in a few sentences what happened, and what is to be done from now on.",
  });
}

function tooManyTags(count: number): LociError {
  return new LociError("INVALID_TAGS", {
    message: `There are ${count} tags; a lesson has at most ${mostTags}.`,
    field: "tags",
    advice: "Name what the lesson is about, such as the tools.",
  });
}

import { demotedLine, promotedLine } from "@loci/core";
import {
  authorize,
  type BlockWrite,
  checksOf,
  type DemoteLineRequest,
  LociError,
  memoryId,
  type PromoteMemoryRequest,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { permittedMemory } from "../memories/existing-memory.ts";
import { isForgotten, memoryNotFound } from "../memories/existing-memory.ts";
import { answeredRequest } from "./answered-block.ts";
import { changingOwner, existingBlock } from "./block-owners.ts";
import { documentText } from "./document-text.ts";
import type { BlockServices } from "./block-services.ts";
import { blockNameChecks } from "./validate-block.ts";
import { repeatedWrite, wholeWrite, writeOrPropose } from "./write-block.ts";

const checkPromote = checksOf<PromoteMemoryRequest>()("request", {
  ...blockNameChecks,
  heading: checkLine,
  memory: (memory) => memoryId(memory),
});

/** Gives a memory a line in a document. */
export async function promoteMemory(
  services: BlockServices,
  call: Call,
  request: PromoteMemoryRequest,
): Promise<BlockWrite> {
  const { owner, label, heading, memory: id } = checkPromote(request);
  authorize(call.principal, "write", [owner]);
  const stored = await permittedMemory(services, call, "read", id);
  if (isForgotten(stored)) throw memoryNotFound(id);
  const idempotency = idempotencyOf("promoteMemory", request, call.options);
  return changingOwner(services, call, owner, async (known) => {
    const answered = await answeredRequest(services, call, idempotency, owner);
    if (answered !== undefined) return repeatedWrite(services, call, { known, label }, answered);
    const block = await existingBlock(services, call, known, label);
    const text = promotedLine(documentText(block), heading, stored.memory.text);
    return writeOrPropose(services, call, { known, block, idempotency }, wholeWrite(block, { text }));
  });
}

const checkDemote = checksOf<DemoteLineRequest>()("request", { ...blockNameChecks, line: checkLine });

/** Makes a memory of a line of a document, and takes it out there. */
export async function demoteLine(services: BlockServices, call: Call, request: DemoteLineRequest): Promise<BlockWrite> {
  const { owner, label, line } = checkDemote(request);
  // A memory cannot wait for approval together with a line.
  authorize(call.principal, "approve", [owner]);
  const idempotency = idempotencyOf("demoteLine", request, call.options);
  return changingOwner(services, call, owner, async (known) => {
    const answered = await answeredRequest(services, call, idempotency, owner);
    if (answered !== undefined) return repeatedWrite(services, call, { known, label }, answered);
    const block = await existingBlock(services, call, known, label);
    const { document, text } = demotedLine(documentText(block), line);
    const archived = [{ category: "fact", text }];
    return writeOrPropose(
      services,
      call,
      { known, block, idempotency },
      { ...wholeWrite(block, { text: document }), archived },
    );
  });
}

/** Most UTF-16 units of a heading or a line. */
const maxLine = 8_192;

function checkLine(value: unknown, field: string): string {
  if (typeof value === "string" && value.isWellFormed() && value.length <= maxLine) return value;
  throw new LociError("INVALID_TEXT", {
    message: `${field} is not well-formed text of at most ${maxLine} UTF-16 units.`,
    field,
    advice: "Pass a line of the document.",
  });
}

import { type Memory, MemoryState } from "@loci/api-web";
import { memories, newRequestId } from "../../api/calls.ts";
import { timeOfField } from "../../text/local-times.ts";
import { exportedLine } from "./exported-line.ts";
import type { MemoryWork } from "./work-on-many.ts";

/** What can be done with many memories at once. */
export type KindOfWork = "tag" | "expire" | "forget" | "export";

/** How it is called, before and after, and what it asks for. */
export const kindsOfWork: Readonly<
  Record<
    KindOfWork,
    { readonly title: string; readonly done: string; readonly field?: string; readonly isTime?: boolean }
  >
> = {
  tag: { title: "Tag", done: "tagged", field: "Tags, with commas between" },
  expire: { title: "Let expire", done: "will expire", field: "When", isTime: true },
  forget: { title: "Forget", done: "forgotten" },
  export: { title: "Export", done: "exported" },
};

/** What work leaves behind: the lines of a file, or the way back. */
export interface WorkTrace {
  readonly lines: string[];
  readonly forgotten: { readonly id: string; readonly version: bigint }[];
}

/** @param asked what was typed into the field */
export function workOf(kind: KindOfWork, asked: string, trace: WorkTrace): MemoryWork {
  if (kind === "export")
    return async (memory) => {
      trace.lines.push(exportedLine(memory));
      return "done";
    };
  if (kind === "forget")
    return async ({ id, etag, version, state }) => {
      if (state === MemoryState.DELETED) return "unchanged";
      await memories.deleteMemory({ id, etag, requestId: newRequestId() });
      trace.forgotten.push({ id, version });
      return "done";
    };
  if (kind === "expire") return (memory) => change(memory, "expire_time", { expireTime: timeOfField(asked) });
  const tags = asked
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
  return async (memory) => {
    const all = [...new Set([...memory.tags, ...tags])];
    return all.length === memory.tags.length ? "unchanged" : change(memory, "tags", { tags: all });
  };
}

async function change(
  { id, etag }: Memory,
  path: string,
  fields: Partial<Pick<Memory, "tags" | "expireTime">>,
): Promise<"done"> {
  const request = { memory: { id, etag, ...fields }, updateMask: { paths: [path] }, requestId: newRequestId() };
  await memories.updateMemory(request);
  return "done";
}

import type { ImportTranscriptRequest, TranscriptReport } from "@loci/file-import";
import { parseScope } from "@loci/domain";
import type { CaptureJob, Loci } from "@loci/loci";
import { captureClosed } from "./capture-closed.ts";

interface SessionCaptures {
  readonly id: string;
  readonly jobs: readonly CaptureJob[];
}

export interface TranscriptFileReport extends TranscriptReport {
  readonly file: string;
  /** Of the sessions that were closed. */
  readonly captures: readonly SessionCaptures[];
}

/** Makes sessions of a transcript, and waits for what is captured from those that it closes. */
export async function importTranscriptFile(
  loci: Loci,
  request: ImportTranscriptRequest,
  signal: AbortSignal,
): Promise<TranscriptFileReport> {
  const { file, close } = request;
  const scope = parseScope(request.scope);
  const { importTranscript } = await import("@loci/file-import");
  const report = await importTranscript(loci, request, { signal });
  const captures: SessionCaptures[] = [];
  for (const { id, outcome } of close === true ? report.sessions : [])
    if (outcome !== "differs") captures.push({ id, jobs: await captureClosed(loci, { scope, id }, signal) });
  return { file, ...report, captures };
}

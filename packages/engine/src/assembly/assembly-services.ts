import type { HistoryCache } from "@loci/core";
import type { UsageEntry } from "@loci/ledger";
import type { BoundFiles } from "../blocks/bound-files.ts";
import type { BlockServices } from "../blocks/block-services.ts";
import type { BlockReadings } from "../blocks/block-readings.ts";
import type { RecallServices } from "../recall/recall-services.ts";
import type { ReceiptKeeper } from "../receipts/receipt-keeper.ts";
import type { RunningTurns } from "../recall/running-turns.ts";
import type { UsageRecorder } from "../usage/usage-recorder.ts";
import type { RecentDays } from "../sessions/recent-days.ts";
import type { SessionConversations } from "./session-conversations.ts";
import type { StandingReads } from "./standing-reads.ts";
import type { ModelSummarizer } from "../summaries/model-summarizer.ts";
import type { TaskAges } from "./task-ages.ts";

/** What a context is assembled with. */
export interface AssemblyServices extends RecallServices, BlockServices {
  /** Documents that are kept as files. */
  readonly boundFiles: BoundFiles;
  readonly usage: UsageRecorder<UsageEntry>;
  /** What was read of conversations, kept from one assembly to the next. */
  readonly conversationReadings: HistoryCache;
  readonly taskAges: TaskAges;
  /** What contexts were made of, kept for a time. */
  readonly receipts: ReceiptKeeper;
  /** What stands in every context of scopes. */
  readonly standing: StandingReads;
  readonly runningTurns: RunningTurns;
  /** Of sessions, kept from one assembly to the next. */
  readonly sessionConversations: SessionConversations;
  /** Of scopes, kept from one assembly to the next. */
  readonly recentDays: RecentDays;
  /** Of owners, kept from one assembly to the next. */
  readonly blockReadings: BlockReadings;
  /** Absent without a language model. */
  readonly summarizer: ModelSummarizer | undefined;
}

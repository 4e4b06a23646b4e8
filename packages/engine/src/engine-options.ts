import type { ModelAddition, TextLanguage } from "@loci/core";
import type { Instant } from "@loci/domain";
import type { LanguageModel } from "@loci/language-model";
import type { Ledger } from "@loci/ledger";
import type { TextIndex, VectorStore } from "@loci/store";
import type { MetadataFields } from "./projections/declared-metadata.ts";
import type { EmbedderChoice, IndexPlaces } from "./projections/index-places.ts";
import type { IndexRecord } from "./projections/index-record.ts";
import type { LogProjection } from "./projections/log-projection.ts";
import type { BackupLedger, ScrubFiles } from "./maintenance/deployment-files.ts";
import type { UsageCaps } from "./usage/model-usage.ts";
import type { KeptReceiptsOptions } from "./receipts/kept-receipts-options.ts";
import type { ReportProblem } from "./calls/report-problem.ts";
import type { Reranker } from "./recall/reranker.ts";
import type { ScoringOptions } from "./recall/scoring-profiles.ts";
import type { GivenDetectionPolicies } from "./validation/detection-policies.ts";
import type { GivenBlockSettings } from "./blocks/block-settings.ts";
import type { TenantEmbedder } from "./embedding/text-embedding.ts";

export interface EngineOptions {
  /** The parts belong to the caller, who closes them after the engine. */
  readonly ledger: Ledger;
  readonly vectorStore: VectorStore;
  readonly textIndex: TextIndex;
  readonly embedder: TenantEmbedder;
  /** Gives the time of what is written, in milliseconds since 1970. Default the system's. */
  readonly clock?: (() => Instant) | undefined;
  /** How long a call waits for the embedder, in milliseconds. Default 2,000. */
  readonly embeddingTimeLimit?: number | undefined;
  /** Models to add to those known, or to change. Default none. */
  readonly models?: readonly ModelAddition[] | undefined;
  /** What sessions and tenants may use at most, of what was recorded. Default no cap. */
  readonly usageCaps?: UsageCaps | undefined;
  /**
   * Tokens of language models, input and output together, that summaries and captures may use a minute on behalf of one caller: the
   * same tenant and subject. Beyond it they go by rules, and say so. A whole number from 1. Default no limit.
   */
  readonly modelTokensPerMinute?: number | undefined;
  /** Summarises what a conversation's section has no room for. Default: an extractive summary, without any model. */
  readonly summaryModel?: LanguageModel | undefined;
  /**
   * What `summaryModel` is told a summary is for and should keep, such as `You summarise support calls. Keep order numbers.`
   * The form of its answer, and that what was said is data, is added. Default: decisions, state of the task, open questions.
   */
  readonly summaryTemplate?: string | undefined;
  /** Finds what is worth remembering of sessions, and judges it beside what is known. Default: rules do, without any model. */
  readonly captureModel?: LanguageModel | undefined;
  /** How long nobody else may take up a capture after this process has died, in milliseconds. Default 60,000. */
  readonly captureLease?: number | undefined;
  /** Judges the best candidates of each recall once more. Default none. */
  readonly reranker?: Reranker | undefined;
  /** How long a recall waits for the reranker, in milliseconds. Default 1,000. */
  readonly rerankTimeLimit?: number | undefined;
  /**
   * What filters can ask for besides the fields every memory has. Indexes are built again when it changes. Default: what
   * was given the last time, at first nothing.
   */
  readonly metadataFields?: MetadataFields | undefined;
  /** Of the memories' texts. Indexes are built again when it changes. Default: as the last time, at first `english`. */
  readonly language?: TextLanguage | undefined;
  /** How recall scores where a call does not say. Default: the profile `balanced` for every tenant. */
  readonly scoring?: ScoringOptions | undefined;
  /**
   * How long the text form of a block may be, in UTF-16 units (default 1,500), and when human blocks give up their oldest
   * entries: above 70% (`aggressive`), above 90% (`preservative`), or by what was needed lately (`adaptive`, default, from
   * `threshold` 0.80). Another value is `INVALID_CONFIGURATION`.
   */
  readonly blocks?: GivenBlockSettings | undefined;
  /**
   * What becomes of secrets and personal data that somebody says, by class: `refuse` (default for `api_key`, `token`,
   * `private_key`, `password`, `connection_string`, `card`, `iban`, `government_id`), `redact` (default for `email`, `phone`),
   * `quarantine`, `allow`. Another class or policy is `INVALID_CONFIGURATION`.
   */
  readonly detection?: GivenDetectionPolicies | undefined;
  /** Whether the receipts of contexts can be looked up later, by `receipts.list`. Default: none are kept. */
  readonly receipts?: KeptReceiptsOptions | undefined;
  /** The other places indexes can be moved to. Default: none. */
  readonly places?: IndexPlaces | undefined;
  /** The other embedders that everything can be embedded with again. Default: none. */
  readonly embedders?: EmbedderChoice | undefined;
  /**
   * Tells this server from the others that use the same ledger. With it, the engine follows when another one moves the
   * indexes, and removes none that another one uses. Default: nobody else uses the ledger.
   */
  readonly server?: string | undefined;
  /**
   * Whether tenants may come to the ledger from another one: then each call looks for what its tenant has brought along.
   * Default false: every tenant began in this ledger.
   */
  readonly tenantsMove?: boolean | undefined;
  /** The names the configuration gives, which a move may have gone on from. Default: the active ones. */
  readonly configured?: IndexRecord["configured"] | undefined;
  /** Copies the ledger while it is in use. Default: its database has tools of its own, and `backup` is refused. */
  readonly backupLedger?: BackupLedger | undefined;
  /** Removes or makes anew what the deployment keeps beside ledger and indexes. Default: nothing is kept. */
  readonly scrubFiles?: ScrubFiles | undefined;
  /** What is kept up with the log besides the indexes. Default nothing. */
  readonly projections?: readonly LogProjection[] | undefined;
  /** Told of failures in the background. Default: a warning of the process. */
  readonly reportProblem?: ReportProblem | undefined;
}

import {
  type IndexAdapter,
  indexAdapters,
  type MetadataFields,
  type OpenEngineOptions,
  type OutputLimitField,
  type OutsideIndexKind,
  type ScoringOptions,
  type StructuredOutput,
  type TextLanguage,
} from "@loci/loci";
import type { ScheduledJob } from "../maintenance/maintenance-schedule.ts";
import type { LogLevel } from "../logging/logger.ts";
import type { ApiKeyEntry } from "../security/api-key.ts";
import type { ClientCertificateEntry } from "../security/client-certificates.ts";
import type { TlsFiles } from "../security/tls-files.ts";

/** `development` adds server reflection, which tells everyone what can be called. */
export const environments = ["production", "development"] as const;

export type Environment = (typeof environments)[number];

/** What one caller, or all together, may take of the server. */
export interface ServerLimits {
  /** Largest request, in bytes, also after decompression. */
  readonly maxReceiveBytes: number;
  /** Requests that are worked on or wait for that, in bytes, of all calls together. One subject gets half of them. */
  readonly maxRequestBytes: number;
  /** Largest answer, in bytes. Clients of Loci take up to 64 MiB. */
  readonly maxSendBytes: number;
  /** Answers that wait to be read, in bytes, of all calls together. One subject gets half of them. */
  readonly maxUnreadBytes: number;
  /** Largest metadata of a call, in bytes as HTTP/2 counts them: names, values and 32 for each. */
  readonly maxMetadataBytes: number;
  /** Connections at once; one more is closed at once. */
  readonly maxConnections: number;
  /** Calls under way on one connection. */
  readonly maxConcurrentStreams: number;
  /** Calls under way on all connections together, until their answers have been read. One subject gets half of them. */
  readonly maxOpenCalls: number;
  /** Calls a second of one key, in the long run. 0: no limit. That of a server without configured keys has none. */
  readonly callsPerSecond: number;
  /** Calls of one key at once, after a pause. */
  readonly callBurst: number;
  /** Tokens of language models, input and output together, for what Loci does for one subject. 0: no limit. */
  readonly modelTokensPerMinute: number;
  /** Handlers at work at once, on all connections together. */
  readonly maxRunningCalls: number;
  /**
   * Calls that wait for a handler. Subjects take turns; when it is full, who has the most calls in it makes room with
   * `TOO_MANY_REQUESTS`.
   */
  readonly maxQueuedCalls: number;
  /** Calls that wait for an operation to end; they do no work. */
  readonly maxWaitingCalls: number;
  /** Watches and exports, of which one subject has half at most. */
  readonly maxStreams: number;
  /** A connection whose other end has been silent this long is asked whether it is there, and closed if not. */
  readonly keepaliveSeconds: number;
  /** How long calls may go on after the server was told to stop. */
  readonly shutdownGraceSeconds: number;
}

/** Where a secret is read when the server starts. It never stands in the configuration itself. */
export interface SecretPlace {
  /** Holds the secret and nothing else but white space around it. */
  readonly file?: string | undefined;
  /** Name of an environment variable. */
  readonly variable?: string | undefined;
}

/** A model behind a server with OpenAI's interface. */
export interface RemoteModelConfiguration {
  /** Such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Local servers need none. */
  readonly apiKey?: SecretPlace | undefined;
}

/** One that writes texts, behind a server with OpenAI's chat completions. */
export interface LanguageModelConfiguration extends RemoteModelConfiguration {
  /** Which field of a request says how long the answer may be. Default `max_tokens`. */
  readonly outputLimitField?: OutputLimitField | undefined;
  /** How a request asks for JSON. Default `json_schema`. */
  readonly structuredOutput?: StructuredOutput | undefined;
  /** How hard a reasoning model thinks, in the server's words. Default: the server decides. */
  readonly reasoningEffort?: string | undefined;
  /** How long an answer is waited for, in milliseconds. Default: 30,000 for captures, 20,000 for summaries. */
  readonly timeLimit?: number | undefined;
}

export interface RemoteEmbedderConfiguration extends RemoteModelConfiguration {
  readonly dimensions: number;
  readonly maxInputTokens?: number | undefined;
  readonly prefixes: { readonly query?: string | undefined; readonly document?: string | undefined };
}

/** `local`: the model that ships with Loci. `remote`: the one that is configured. */
export const usedEmbedders = ["local", "remote"] as const;

export type UsedEmbedder = (typeof usedEmbedders)[number];

/** `sqlite`: in the data directory, for this server alone. `postgres`: in the database that is configured. */
export const usedLedgers = ["sqlite", "postgres"] as const;

export type UsedLedger = (typeof usedLedgers)[number];

/** A database that servers share. */
export interface PostgresConfiguration {
  /** Of the role that serves, such as `postgresql://loci_service:password@host/database`. */
  readonly connectionString: SecretPlace;
  /** Of the owner of the tables, which then are made and migrated when the server starts. Default: somebody has done it. */
  readonly ownerConnectionString?: SecretPlace | undefined;
  readonly schema?: string | undefined;
  /** To become after connecting. */
  readonly role?: string | undefined;
  readonly maxConnections?: number | undefined;
}

type OwnAdapter = (typeof indexAdapters)[number];

export type UsedIndex = OwnAdapter["name"];

export const usedIndexes: readonly UsedIndex[] = indexAdapters.map(({ name }) => name);

/** What an adapter's `open` takes, with the place of its secret instead of the secret. */
type WithSecretPlace<Adapter> =
  Adapter extends IndexAdapter<infer _Name, infer _Place, infer Options, infer Secret>
    ? Omit<Options, Secret> & { readonly [Name in Secret]: SecretPlace }
    : never;

/** Indexes outside of the data directory, by their kind. */
export type OutsideIndexes = {
  readonly [Adapter in OwnAdapter as Extract<Adapter["name"], OutsideIndexKind>]?: WithSecretPlace<Adapter> | undefined;
};

/** Who is told of calls and of how the server is. Default nobody. */
export interface TelemetryConfiguration {
  /** Where traces and metrics go, by OTLP over HTTP. */
  readonly otlpEndpoint?: string | undefined;
  /** Where Prometheus gets the metrics, by HTTP at `/metrics`. Port 0: any free one. */
  readonly prometheus?: { readonly address: string; readonly port: number } | undefined;
}

/** `change`: what the key may. `look`: nothing that changes something. */
export const browserAccesses = ["change", "look"] as const;

export type BrowserAccess = (typeof browserAccesses)[number];

/** What is served over HTTP beside the calls. */
export interface BesideConfiguration {
  readonly address: string;
  /** 0: any free one. */
  readonly port: number;
  /** By which callers know it, besides the address. */
  readonly names: readonly string[];
}

/** Everything there is to say about a server. Made by `loadConfiguration`. */
export interface ServerConfiguration {
  readonly environment: Environment;
  /** Port 0: any free one. */
  readonly listen: { readonly address: string; readonly port: number };
  /** Processes that tenants are spread over. 1: the server is one process. */
  readonly workers: number;
  /** Default: the one `openLoci` takes. */
  readonly dataDirectory?: string | undefined;
  /** The only place that backups asked for over gRPC go to. Absolute. Default: `backups` in the data directory. */
  readonly backupDirectory?: string | undefined;
  readonly tls?: TlsFiles | undefined;
  /** The memory browser. Default: it is not served. */
  readonly browser?: (BesideConfiguration & { readonly access: BrowserAccess }) | undefined;
  /** MCP over HTTP. Default: it is not served. */
  readonly mcp?:
    | (BesideConfiguration & {
        readonly scopes: readonly string[];
        /** Pages of other sites that may call. Default: none. */
        readonly allowedOrigins?: readonly string[] | undefined;
        readonly oauthFile?: string | undefined;
      })
    | undefined;
  readonly limits: ServerLimits;
  /** Without any, and without certificates, only the server's user may call, from this machine, as the tenant `local`. */
  readonly apiKeys: readonly ApiKeyEntry[];
  /** What clients' certificates open, with `tls.clientCaFile`. */
  readonly clientCertificates: readonly ClientCertificateEntry[];
  readonly logLevel: LogLevel;
  readonly telemetry: TelemetryConfiguration;
  /** Default: in the data directory. */
  readonly ledger: { readonly postgres?: PostgresConfiguration | undefined };
  /** Where the keys are that the ledger is encrypted with. Default: it is not encrypted. */
  readonly encryption?: SecretPlace | undefined;
  /** Default: the one `openLoci` takes. */
  readonly index: OutsideIndexes & { readonly use?: UsedIndex | undefined };
  /** How memories are found. */
  readonly memory: {
    /** Default: as the last time, at first English. */
    readonly language?: TextLanguage | undefined;
    /** What filters can ask for. Default: as the last time, at first nothing. */
    readonly metadataFields?: MetadataFields | undefined;
    /** Whether the history of blocks is kept as git repositories, too. */
    readonly gitMirrors: boolean;
    /** How long blocks may be, and when they are rotated. */
    readonly blocks: NonNullable<OpenEngineOptions["blocks"]>;
    /** What becomes of secrets and personal data. */
    readonly detection: NonNullable<OpenEngineOptions["detection"]>;
    /** How recall scores where a call does not say, for all and for single tenants. */
    readonly scoring: ScoringOptions;
  };
  /** What may be used of models in all. Default: no cap. */
  readonly usageCaps?: OpenEngineOptions["usageCaps"];
  /** How long receipts of contexts are kept. Default: they are not. */
  readonly receipts?: { readonly keepMilliseconds: number } | undefined;
  /** Jobs that run again and again. Default: compacting, looked at every 5 minutes. */
  readonly maintenance: readonly ScheduledJob[];
  readonly embedder: {
    /** Default `remote` when there is one, else `local`. Say `local` while existing memories wait to be embedded again. */
    readonly use: UsedEmbedder;
    readonly remote?: RemoteEmbedderConfiguration | undefined;
  };
  /** Summarises long conversations. Default: a summary by rules, without any model. */
  readonly summaryModel?: LanguageModelConfiguration | undefined;
  /** Finds and judges what sessions give to remember. Default: rules, without any model. */
  readonly captureModel?: LanguageModelConfiguration | undefined;
}

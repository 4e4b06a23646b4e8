import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { IndexAdapter } from "@loci/store";
import { missingPackage } from "../missing-package.ts";

/** Written out: whoever has not installed the package has its types neither. */
interface Options {
  readonly apiKey: string;
  /** Of the control plane. Default: the service's. */
  readonly controllerUrl?: string | undefined;
  /** Begins the names of all indexes made here: 1 to 12 of `a-z`, `0-9` and `-`, beginning with a letter. Default `loci`. */
  readonly prefix?: string | undefined;
  /** Where new indexes are made. Default `aws`, `us-east-1`. */
  readonly cloud?: "aws" | "gcp" | "azure" | undefined;
  readonly region?: string | undefined;
  /** Milliseconds that an index may take to be ready once it is made, or to be gone once it is removed. Default 120,000. */
  readonly maxIndexWait?: number | undefined;
  /** How often a request is sent again after 429, 5xx or a broken connection. Default 5. */
  readonly maxRetries?: number | undefined;
  /** Before the first retry, in milliseconds; doubled for each one after it, a quarter more or less. Default 200. */
  readonly firstRetryDelay?: number | undefined;
  /** Milliseconds after which a request without an answer is given up, as if the connection had broken. Default 30,000. */
  readonly requestTimeout?: number | undefined;
}

const packageName = "@loci/store-pinecone";
const directoryName = "index-pinecone-text";
/** Says whose the indexes on Pinecone are, for whoever removes them without a ledger. */
const ownerFileName = "index-pinecone-owner";

/**
 * Vectors on Pinecone, in indexes of this ledger's own. Words are found where the ledger is: in its database, or by files in the data
 * directory. Needs the package `@loci/store-pinecone` to be installed.
 */
export const pineconeIndexes: IndexAdapter<"pinecone", "outside", Options, "apiKey"> = {
  name: "pinecone",
  title: "Pinecone",
  place: "outside",
  directoryName,
  hasTenantDirectories: true,
  ofEachServer: { vectors: false, text: "words" },
  notErased: ["Pinecone removes rows by itself; how long it keeps their bytes is not known."],
  secret: {
    option: "apiKey",
    path: "pinecone.api_key",
    called: "the key",
    about: "the key",
    of: "Pinecone index",
    form: "an API key of a Pinecone project",
  },
  settings: [
    {
      type: "text",
      option: "prefix",
      path: "pinecone.prefix",
      about: "What the names of the indexes begin with.",
      advice: "Name what the indexes begin with, such as loci.",
    },
    {
      type: "choice",
      option: "cloud",
      path: "pinecone.cloud",
      readBy: "both",
      about: "Where new indexes are made.",
      choices: ["aws", "gcp", "azure"],
    },
    {
      type: "text",
      option: "region",
      path: "pinecone.region",
      readBy: "both",
      about: "Where new indexes are made.",
      advice: "Name a region of the cloud, such as us-east-1.",
    },
    {
      type: "text",
      option: "controllerUrl",
      path: "pinecone.controller_url",
      readBy: "commands",
      about: "Of the control plane, where it is not the service's.",
      advice: "Write an http or https address.",
    },
  ],
  /** The SDK is loaded now and not before. */
  open: async (options, { directory, ledger, openWords }) => {
    const { openPineconeStore } = await import(
      /* webpackIgnore: true */ /* turbopackIgnore: true */ "@loci/store-pinecone"
    ).catch(missingPackage(packageName));
    await writeFile(join(directory, ownerFileName), ledger, { mode: 0o600 });
    const vectorStore = openPineconeStore({ ...options, owner: ledger });
    const words = await openWords(directoryName);
    return {
      vectorStore,
      textIndex: words.textIndex,
      close: async () => {
        await vectorStore.close();
        await words.close();
      },
    };
  },
  /** Removes the words, and the indexes on Pinecone. */
  remove: async (options, { directory, removeWords }) => {
    const ownerFile = join(directory, ownerFileName);
    const owner = await readFile(ownerFile, "utf8").catch(() => undefined);
    if (owner !== undefined) {
      const { removePineconeStore } = await import(
        /* webpackIgnore: true */ /* turbopackIgnore: true */ "@loci/store-pinecone"
      ).catch(missingPackage(packageName));
      await removePineconeStore({ ...options, owner });
    }
    await removeWords(directoryName);
    await rm(ownerFile, { force: true });
  },
};

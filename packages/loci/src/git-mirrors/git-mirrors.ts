import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LociError, type Sequence, type TenantId } from "@loci/domain";
import type { BlockRecord, EditState, LogProjection } from "@loci/engine";
import { blockFamily, editFamily, type Family, type LogEntry, resourcePurged } from "@loci/ledger";
import { refuseFile, takeForMissing } from "../file-error.ts";
import { checkMirror, isUsable } from "./check-mirror.ts";
import { makeFolder, removeAll, replaceFile } from "./mirror-files.ts";
import { MirrorFolder, type MirroredChange, mirroredRefs } from "./mirror-folder.ts";

/** No owner's folder is called so: each of theirs has the kind of the owner before a hyphen. */
const checkpointName = "checkpoint";
/** Mirrors that are looked at together. */
const atOnce = 16;

/** Where the mirrors of a tenant stand. */
interface Checkpoint {
  /** The identity of the ledger they are made of. */
  readonly ledger: string;
  readonly through: Sequence;
  /** How many owners have one. */
  readonly owners: number;
}

/**
 * The history of blocks as git repositories, one for each owner: `TENANT/OWNER/blocks/LABEL.toml`, with the commits whose ids
 * versions are known by, and `pending_diffs/ID.json` for each edit that waits. They are made of the log alone: what is damaged,
 * gone, or of another ledger is made anew. What is erased takes the whole repository of its owner along. No file is kept open.
 */
export class GitMirrors implements LogProjection {
  readonly name = "gitMirrors";
  readonly families: readonly Family[] = [blockFamily, editFamily];
  readonly isDurable = true;
  /** So that a directory that is gone is noticed, and made anew. */
  readonly isImmediate = true;
  readonly verification: NonNullable<LogProjection["verification"]> = {
    name: "gitMirrors",
    compare: async ({ tenant }, { signal }) => {
      let rows = 0;
      let miscounted = 0;
      for (const name of await this.#ownersOf(tenant)) {
        const { intact, damaged } = await checkMirror(join(this.#tenantPath(tenant), name), signal);
        rows += intact;
        miscounted += damaged;
      }
      return { rows, miscounted, differences: [] };
    },
    // What is damaged is made anew as a whole.
    repair: async () => undefined,
  };
  readonly #directory: string;
  readonly #ledger: string;
  /** The folders of owners, of each tenant that was looked through in this process. */
  readonly #owners = new Map<TenantId, Set<string>>();
  readonly #checks = new Map<TenantId, Promise<void>>();

  /**
   * @param directory made with the first block
   * @param ledger the identity of the ledger whose log is mirrored
   */
  constructor(directory: string, ledger: string) {
    this.#directory = directory;
    this.#ledger = ledger;
  }

  async apply(tenant: TenantId, entries: readonly LogEntry[], through: Sequence): Promise<void> {
    try {
      await this.#checked(tenant);
      for (const stretch of alikeInARow(entries)) {
        if (stretch.every(isWritten)) await this.#write(tenant, stretch);
        else await this.#drop(tenant, new Set(stretch.map(({ ref }) => String(ref))));
      }
      await this.#note(tenant, through);
    } catch (error) {
      refuseFile(this.#tenantPath(tenant), error);
    }
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    await this.#checked(tenant);
    return (await this.#readCheckpoint(tenant))?.through ?? 0;
  }

  async reset(tenant: TenantId): Promise<void> {
    this.#owners.set(tenant, new Set());
    await removeAll(this.#tenantPath(tenant));
  }

  /** Looks at all mirrors of a tenant, once in each process. What cannot be gone on with is begun again. */
  async #checked(tenant: TenantId): Promise<void> {
    let check = this.#checks.get(tenant);
    if (check === undefined) {
      check = this.#check(tenant);
      this.#checks.set(tenant, check);
      // What could not be looked at now is looked at again.
      check.catch(() => this.#checks.delete(tenant));
    }
    await check;
  }

  async #check(tenant: TenantId): Promise<void> {
    const found = await this.#readCheckpoint(tenant);
    if (found === undefined) return this.reset(tenant);
    const owners = await this.#ownersOf(tenant);
    const unusable = await this.#unusable(tenant, [...owners]);
    if (unusable.length > 0 || owners.size !== found.owners) await this.#beginAgain(tenant, unusable);
  }

  /** Removes some repositories, and goes through the log once more: the others pass over what they have. */
  async #beginAgain(tenant: TenantId, folders: readonly string[]): Promise<void> {
    const owners = await this.#ownersOf(tenant);
    for (const name of folders) {
      await removeAll(join(this.#tenantPath(tenant), name));
      owners.delete(name);
    }
    await this.#note(tenant, 0);
  }

  /** `undefined`: there is none, or it is of another ledger. */
  async #readCheckpoint(tenant: TenantId): Promise<Checkpoint | undefined> {
    try {
      const found = JSON.parse(await readFile(join(this.#tenantPath(tenant), checkpointName), "utf8")) as Checkpoint;
      if (found.ledger === this.#ledger && Number.isSafeInteger(found.through) && found.through >= 0) return found;
    } catch (error) {
      takeForMissing(this.#tenantPath(tenant), error);
      // It is made with the first block, and made anew when it is damaged.
    }
    return undefined;
  }

  async #unusable(tenant: TenantId, names: readonly string[]): Promise<readonly string[]> {
    const unusable: string[] = [];
    for (let next = 0; next < names.length; next += atOnce) {
      const some = names.slice(next, next + atOnce);
      const found = await Promise.all(some.map((name) => isUsable(join(this.#tenantPath(tenant), name))));
      unusable.push(...some.filter((_, place) => found[place] === false));
    }
    return unusable;
  }

  async #ownersOf(tenant: TenantId): Promise<Set<string>> {
    const known = this.#owners.get(tenant);
    if (known !== undefined) return known;
    const path = this.#tenantPath(tenant);
    const names = await readdir(path).catch((error: unknown): readonly string[] => takeForMissing(path, error) ?? []);
    const owners = new Set(names.filter((name) => !name.startsWith(checkpointName)));
    this.#owners.set(tenant, owners);
    return owners;
  }

  async #write(tenant: TenantId, entries: readonly LogEntry[]): Promise<void> {
    const owners = await this.#ownersOf(tenant);
    await this.#makeTenantFolder(tenant);
    for (const [owner, ofOwner] of Map.groupBy(entries, ownerOf)) {
      const folder = await MirrorFolder.open(this.#pathOf(tenant, owner), owner);
      const fresh = ofOwner.filter(({ sequence, family }) => family === editFamily || sequence > folder.sequence);
      const changes = fresh.filter(({ family }) => family === blockFamily).map(changeOf);
      owners.add(folderName(owner));
      if (changes.length > 0 && !(await folder.apply(changes))) {
        await this.#beginAgain(tenant, [folderName(owner)]);
        throw notAsLogged();
      }
      for (const { family, ref, payload } of fresh)
        if (family === editFamily)
          await folder.showEdit(ref, (payload as EditState).state === "pending" ? payload : undefined);
    }
  }

  /** Removes the repositories that hold something of what was purged. */
  async #drop(tenant: TenantId, refs: ReadonlySet<string>): Promise<void> {
    const parent = this.#tenantPath(tenant);
    const owners = await this.#ownersOf(tenant);
    for (const name of owners) {
      const path = join(parent, name);
      const mirrored = await mirroredRefs(path);
      // One that cannot be read may hold it as well.
      if (mirrored === undefined || mirrored.some((ref) => refs.has(ref))) {
        await removeAll(path);
        owners.delete(name);
      } else for (const ref of refs) await removeAll(join(path, "pending_diffs", `${ref}.json`));
    }
  }

  async #note(tenant: TenantId, through: Sequence): Promise<void> {
    const path = this.#tenantPath(tenant);
    const owners = (await this.#ownersOf(tenant)).size;
    await this.#makeTenantFolder(tenant);
    await replaceFile(
      join(path, checkpointName),
      JSON.stringify({ ledger: this.#ledger, through, owners } satisfies Checkpoint),
    );
  }

  async #makeTenantFolder(tenant: TenantId): Promise<void> {
    for (const path of [this.#directory, this.#tenantPath(tenant)]) await makeFolder(path, { mayBeLink: true });
  }

  #tenantPath(tenant: TenantId): string {
    return join(this.#directory, folderName(tenant));
  }

  #pathOf(tenant: TenantId, owner: string): string {
    return join(this.#tenantPath(tenant), folderName(owner));
  }
}

/** What a name is called as a folder: readable, short, and another for another name. */
export function folderName(name: string): string {
  const readable = name.replaceAll(/[^a-zA-Z0-9]+/gu, "-").slice(0, 40);
  return `${readable}-${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}

/** What was written and what was purged, each in one stretch as long as nothing of the other comes between. */
function alikeInARow(entries: readonly LogEntry[]): readonly (readonly LogEntry[])[] {
  const stretches: LogEntry[][] = [];
  for (const entry of entries) {
    const last = stretches.at(-1);
    if (last?.[0] !== undefined && isWritten(last[0]) === isWritten(entry)) last.push(entry);
    else stretches.push([entry]);
  }
  return stretches;
}

function isWritten({ kind }: LogEntry): boolean {
  return kind !== resourcePurged;
}

function ownerOf({ payload }: LogEntry): string {
  return (payload as Pick<BlockRecord, "owner">).owner;
}

function changeOf({ payload, ref, version, sequence }: LogEntry): MirroredChange {
  const { label, toml, at, author, approver, reason, commitId } = payload as BlockRecord;
  const change = { label, version, toml, at, proposer: author, approver: approver ?? null, reason };
  return { change, commitId, ref, sequence };
}

function notAsLogged(): LociError {
  return new LociError("DATA_DIRECTORY_CORRUPT", {
    message: "A git mirror was not what the log says.",
    advice: "Nothing is lost: the mirrors are made anew from the log.",
  });
}

import { createHmac, randomBytes } from "node:crypto";
import type { Instant, MemoryId, TenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import { uuidOfName } from "../calls/uuid-version-7.ts";

/**
 * The name of the setting that the key is. A tenant that has come from another ledger has one of its own: its turns have the ids
 * that they got there.
 */
export const turnIdsSetting = "turn-ids";
const settingName = turnIdsSetting;

interface TurnKey {
  /** 32 random bytes in hexadecimal. Never leaves the ledger. */
  readonly key: string;
  /** When it was made, in a ledger that had memories by then. Absent: it was empty. */
  readonly since?: Instant | undefined;
}

/** The ids of a conversation's turns. */
export interface TurnId {
  readonly id: MemoryId;
  /** Under which the turn may stand if it was stored before there was a key. */
  readonly former: MemoryId | undefined;
}

/**
 * Makes the ids of turns: equal for equal turns, so that one which is sent again is found, and impossible to guess, so
 * that nobody who may write elsewhere can take the place of a turn that is still to come. The key belongs to the ledger: the
 * same conversation has other ids in another one.
 */
export class TurnIds {
  readonly #key: TurnKey;

  constructor(key: TurnKey) {
    this.#key = key;
  }

  /** Makes the key when the ledger is opened first, before anybody writes. Servers that open it together agree on it. */
  static async open(ledger: Pick<Ledger, "settings" | "tenants">, clock: () => Instant): Promise<TurnIds> {
    const { settings } = ledger;
    for (;;) {
      const known = await settings.get(undefined, settingName);
      if (known !== undefined) return new TurnIds(JSON.parse(known) as TurnKey);
      const key = randomBytes(32).toString("hex");
      const made: TurnKey = (await ledger.tenants({ limit: 1 })).length === 0 ? { key } : { key, since: clock() };
      if (await settings.compareAndSet(undefined, settingName, undefined, JSON.stringify(made)))
        return new TurnIds(made);
    }
  }

  /** With the key of a tenant, which may have come from another ledger. */
  static async of(ledger: Pick<Ledger, "settings">, tenant: TenantId, others: TurnIds): Promise<TurnIds> {
    const known = await ledger.settings.get(tenant, settingName);
    return known === undefined ? others : new TurnIds(JSON.parse(known) as TurnKey);
  }

  /**
   * @param conversation tenant, scope and session
   * @param turns the name of each in the conversation, and when it was said
   */
  of(
    conversation: readonly string[],
    turns: readonly { readonly id: string; readonly at: Instant }[],
  ): readonly TurnId[] {
    const { key, since } = this.#key;
    return turns.map(({ id, at }) => {
      const name = [...conversation, id];
      const secret = createHmac("sha256", key).update(JSON.stringify(name)).digest("hex");
      return {
        id: uuidOfName(at, [secret]),
        former: since !== undefined && at < since ? uuidOfName(at, name) : undefined,
      };
    });
  }
}

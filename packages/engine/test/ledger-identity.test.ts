import { tenantId } from "@loci/domain";
import { forgetLedgerIdentity, ledgerIdentity } from "@loci/engine";
import { expect, test } from "vitest";
import { identitySetting, logIdentity } from "../src/projections/ledger-identity.ts";
import { TestEngine } from "./support/test-engine.ts";

const [moved, born] = [tenantId("moved"), tenantId("born here")];

test("a ledger that forgets who it is reads no tenant's settings for that, and changes those that came from elsewhere", async () => {
  await using opened = await TestEngine.open();
  const { settings } = opened.ledger;
  const before = await ledgerIdentity(opened.ledger);
  await settings.set(moved, identitySetting, "of another ledger");
  await settings.set(moved, "something else", "kept");
  const asked: unknown[] = [];
  await forgetLedgerIdentity({
    settings: {
      get: async (...question) => {
        asked.push(question);
        return settings.get(...question);
      },
      set: (...value) => settings.set(...value),
      compareAndSet: (...values) => settings.compareAndSet(...values),
      list: (...question) => settings.list(...question),
    },
    tenantsWithSetting: async (name) => (name === identitySetting ? [moved] : []),
  });
  expect(asked).toEqual([]);
  const after = await ledgerIdentity(opened.ledger);
  expect(after).not.toBe(before);
  expect(await logIdentity(opened.ledger, moved)).toBe(after);
  expect(await logIdentity(opened.ledger, born)).toBe(after);
  expect(await settings.get(moved, "something else")).toBe("kept");
});

// What the model that ships does not understand is found by its words, best first.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLoci } from "../src/index.ts";

test.each([
  [
    "Japanese",
    [
      "私は猫アレルギーがあります。",
      "妹は京都の大学で建築を勉強しています。",
      "毎週火曜日の夜に剣道の稽古があります。",
      "会社は品川にあって、電車で四十分かかります。",
      "来年の春に子どもが生まれます。",
    ],
    [
      "アレルギーはありますか?",
      "妹は何を勉強していますか?",
      "剣道はいつですか?",
      "会社はどこですか?",
      "子どもはいつ生まれますか?",
    ],
  ],
  [
    "Chinese",
    ["我对花生过敏。", "我女儿在上海读高中。", "每周三晚上我去游泳。", "我住在杭州西湖附近的一套公寓里。"],
    ["我对什么过敏?", "我女儿在哪里上学?", "我什么时候游泳?", "我住在哪里?"],
  ],
])("in %s no fact takes the place of the one that answers for being newer", async (_, facts, questions) => {
  const folder = mkdtempSync(join(tmpdir(), "loci-language-"));
  const loci = await openLoci({ tenant: "acme", dataDirectory: folder, index: "memory" });
  const scope = "user:alice";
  const start = Date.UTC(2026, 8, 1);
  await loci.memories.rememberMany(
    facts.map((text, index) => ({ text, scope, createdAt: start + index * 86_400_000 })),
  );
  const firsts: (string | undefined)[] = [];
  for (const query of questions) {
    const { hits } = await loci.recall({ query, scopes: [scope] });
    firsts.push(hits[0]?.memory.text);
  }
  expect(firsts).toEqual(facts);
  await loci.close();
  rmSync(folder, { recursive: true });
});

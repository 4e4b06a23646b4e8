import { readFile } from "node:fs/promises";
import { openLocalEmbedder } from "@loci/embedding";
import { modelFile } from "@loci/embedding-model";
import { expect, test } from "vitest";

interface Calibration {
  readonly relevanceWeight: number;
  readonly relevanceFloor: { readonly value: number };
  readonly answerFloor: { readonly value: number };
  readonly duplicateGate: { readonly cosine: number };
  readonly relatedGate: { readonly cosine: number };
}

test("says what was measured with the model that ships", async () => {
  const text = await readFile(new URL("calibration.json", modelFile()), "utf8");
  const measured = JSON.parse(text) as Calibration;
  const embedder = await openLocalEmbedder();
  expect(embedder.relevanceWeight).toBe(measured.relevanceWeight);
  expect(embedder.floors.relevance).toBe(measured.relevanceFloor.value);
  expect(embedder.floors.answer).toBe(measured.answerFloor.value);
  expect(embedder.gates.duplicate).toBe(measured.duplicateGate.cosine);
  expect(embedder.gates.related).toBe(measured.relatedGate.cosine);
  expect(embedder.space).toMatchObject({ provider: "loci", model: "static-256", dimensions: 256 });
  expect(embedder.space.version).toMatch(/^[0-9a-f]{16}$/);
});

test("answers in equal bits each time", async () => {
  const [first, second] = await Promise.all([openLocalEmbedder(), openLocalEmbedder()]);
  const texts = ["The puppy sees the vet.", "naïve café", "42"];
  expect(await first.embed(texts, { kind: "query" })).toEqual(await second.embed(texts, { kind: "document" }));
});

test("lets others work during a large batch, and stops in the middle of it", async () => {
  const embedder = await openLocalEmbedder();
  const texts = Array.from({ length: 1_000 }, (_, index) => `note number ${index} about the weather`);
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  await expect(embedder.embed(texts, { kind: "document", signal: controller.signal })).rejects.toMatchObject({
    reason: "CANCELLED",
  });
});

test("understands what is written in English, and no other language", async () => {
  const { understands } = await openLocalEmbedder();
  const english = [
    "I live in Utrecht with my sister.",
    "Call Petra Olsen about the renewal",
    "We use pnpm, never npm or yarn, in the web repo.",
    "4471",
    "",
  ];
  const others = [
    "Meine Tochter Lena hat am 14. März Geburtstag.",
    "Mi marido es de Oaxaca y cocina mole los domingos.",
    "Je travaille comme infirmière à Lyon.",
    "私は猫アレルギーがあります。",
    "我女儿在上海读高中。",
    "Моя дочь живёт в Казани.",
  ];
  expect(english.filter((text) => understands?.(text) !== true)).toEqual([]);
  expect(others.filter((text) => understands?.(text) !== false)).toEqual([]);
});

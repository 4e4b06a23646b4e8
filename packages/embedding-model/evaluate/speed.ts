// Texts a second of CPU time on one core: node evaluate/speed.ts
import { loadModelSync, StaticModel } from "../src/index.ts";

const subjects = [
  "Anna",
  "the deploy script",
  "our cat",
  "the tax adviser",
  "a retired teacher",
  "the parser",
  "Grandma",
];
const verbs = [
  "moved to",
  "forgot about",
  "was painted near",
  "asked me for",
  "depends on",
  "cannot stand",
  "improved",
];
const objects = [
  "the old harbour",
  "version 4 of the schema",
  "strawberry jam",
  "the blue bicycle",
  "a quarterly report",
  "Lisbon",
];
const tails = [
  "because nobody had told them earlier",
  "and that took three whole days",
  "so please remember it next time",
];

const texts: string[] = [];
for (let index = 0; index < 20_000; index++) {
  const [subject, verb, object, tail] = [subjects, verbs, objects, tails].map(
    (list, place) => list[Math.floor(index / 7 ** place) % list.length],
  );
  texts.push(`${subject} ${verb} ${object} in ${1900 + (index % 137)}, ${tail}.`);
}

const startLoad = process.cpuUsage();
const model = new StaticModel(loadModelSync());
const load = process.cpuUsage(startLoad);
const target = new Float32Array(model.dimensions);
let best = 0;
for (let round = 0; round < 7; round++) {
  const start = process.cpuUsage();
  for (const text of texts) model.embedInto(text, target);
  const { user, system } = process.cpuUsage(start);
  best = Math.max(best, texts.length / ((user + system) / 1e6));
}
const words = texts.reduce((sum, text) => sum + text.split(" ").length, 0) / texts.length;
console.log(
  JSON.stringify({
    textsPerSecond: Math.round(best),
    target: 20_000,
    wordsPerText: Number(words.toFixed(1)),
    loadMilliseconds: Math.round((load.user + load.system) / 1000),
  }),
);

/**
 * Values of which a thing has one at a time, by what they are values of: two texts about one thing that name two of a family
 * contradict each other. Words of one entry mean the same.
 */
const families = {
  theme: "dark, light, white",
  language:
    "english englisch, german deutsch, french, spanish, italian, japanese, czech, polish, dutch, portuguese, chinese, korean, russian",
  database: "postgresql postgres, mysql, sqlite, mariadb, mongodb mongo, oracle, redis, duckdb, dynamodb",
  packageManager: "npm, pnpm, yarn, bun, pip, poetry, uv, conda",
  testFramework: "jest, vitest, mocha, jasmine, pytest, unittest, cypress, playwright",
  frontend: "react, vue, svelte, angular, solid, ember",
  programmingLanguage: "typescript, javascript, python, go golang, rust, java, kotlin, ruby, php",
  indentation: "tabs tab, spaces space",
  httpClient: "axios, fetch, undici",
  branch: "main, master, trunk, develop",
  cloud: "aws, azure, gcp, hetzner",
  signIn: "okta, entra, keycloak, auth0, ldap",
  transport: "train, bike bicycle, car, bus, tram, foot walk walks, plane, ferry, metro subway",
  diet: "vegetarian, vegan, meat, fish, omnivore, keto",
  instrument: "viola, violin, cello, piano, guitar, flute, drums, trumpet, clarinet, saxophone, harp",
  pet: "cat, dog puppy, rabbit, parrot, hamster, horse",
  seat: "window, aisle, middle",
  units: "metric grams celsius kilometres, imperial ounces fahrenheit miles",
  often: "daily, weekly, monthly, quarterly, yearly annually",
  channel:
    "phone call calls, text sms, mail e-mail email e-mails emails, letter post, chat, signal, whatsapp, telegram",
  length: "short brief concise, long detailed",
  fileFormat: "csv, parquet, json, xml, docx word, pdf, xlsx excel, markdown, yaml",
  citation: "apa, chicago, mla, harvard, ieee",
  heating: "oil, gas, pump, pellets, wood",
  spice: "mild, hot hotter spicy",
  state: "on enabled, off disabled",
  size: "small smaller, medium, large larger big bigger",
  side: "left, right",
  coffee: "black, milk, sugar",
  weekday:
    "monday mondays, tuesday tuesdays, wednesday wednesdays, thursday thursdays, friday fridays, saturday saturdays, sunday sundays",
  partOfDay: "morning mornings, noon lunchtime, afternoon afternoons, evening evenings, night nights",
  month: "january, february, march, april, may, june, july, august, september, october, november, december",
  explanation: "diagrams diagram, numbers, examples, code, pictures",
  storage: "tape, store s3 bucket, disk",
  medium: "paper, digital, online",
  explicit: "public, private",
  dwelling: "flat apartment, house, caravan, houseboat",
  phoneSystem: "android, iphone ios",
  languageLevel: "a1, a2, b1, b2, c1, c2",
};

/** Of these a person may have several: another one is no contradiction unless something says that it took the place of the first. */
export const severalAtOnce: ReadonlySet<string> = new Set([
  "language",
  "pet",
  "instrument",
  "diet",
  "programmingLanguage",
  "transport",
  "month",
  "coffee",
  "dwelling",
  "partOfDay",
]);

/** Of these one word tells nothing of what it is said of: weekly releases and a daily meeting are two things. */
export const ofAnything: ReadonlySet<string> = new Set([
  "often",
  "length",
  "state",
  "size",
  "side",
  "weekday",
  "partOfDay",
  "month",
  "channel",
  "explicit",
  "languageLevel",
]);

/** Of these one word says what it is about: who speaks of another one speaks of the same thing. */
export const saysItsThing: ReadonlySet<string> = new Set([
  "spice",
  "indentation",
  "packageManager",
  "testFramework",
  "signIn",
  "citation",
  "seat",
  "units",
]);

const meanings = new Map<string, { readonly family: string; readonly value: string }>();
for (const [family, written] of Object.entries(families))
  for (const entry of written.split(", ")) {
    const [value = "", ...others] = entry.split(" ");
    for (const word of [value, ...others]) if (!meanings.has(word)) meanings.set(word, { family, value });
  }

/** What a word in lower case is a value of. */
export function meaningOf(word: string): { readonly family: string; readonly value: string } | undefined {
  return meanings.get(word);
}

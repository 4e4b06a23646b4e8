import type { DetectionPattern } from "./detection-pattern.ts";
import { hasDigitsAndLetters, isPlaceholder, looksRandom } from "./random-looking.ts";

const isMixed = (value: string): boolean => hasDigitsAndLetters(value) && !/EXAMPLE/.test(value);

/** Keys of services, by the form that each gives its own. */
export const keyPatterns: readonly DetectionPattern[] = [
  {
    name: "key with a prefix and dashes",
    class: "api_key",
    find: /(?<![A-Za-z0-9])(?:sk|rk|pk)-(?:ant|proj|or|svcacct|live)-[\w-]{20,200}|(?<![A-Za-z0-9])sk-[A-Za-z0-9]{32,200}/dg,
    isSqueezed: false,
    accepts: isMixed,
    examples: ["use sk-proj-a8Kd03mZqLw72nVbXyT4", "sk-ant-api03-Qm2x8Zr0tLk4Vn6Yw1Bd"],
    counterExamples: ["sk-learn-contrib is a package", "the pk-proj- prefix"],
  },
  {
    name: "key with a prefix, pulled apart",
    class: "api_key",
    find: /sk(?:antapi\d{2}|proj)\w{20,200}/dg,
    isSqueezed: true,
    least: 30,
    accepts: isMixed,
    examples: ["sk-pr oj-a 8Kd0 3mZq Lw72 nVbX yT4a 9wQe 1zUi"],
    counterExamples: ["ask project managers"],
  },
  {
    name: "payment key",
    class: "api_key",
    find: /(?:sk|rk)_live_[A-Za-z0-9]{16,120}/dg,
    isSqueezed: true,
    least: 32,
    examples: ["sk_live_9fKq27LmZx04TbVc", "sk_li ve_9f Kq27L mZx04 TbVc8 n2Qw7 y"],
    counterExamples: ["sk_test_9fKq27LmZx04TbVc", "the sk_live_ prefix"],
  },
  {
    name: "cloud access key",
    class: "api_key",
    find: /(?:AKIA|ASIA|AROA)[A-Z0-9]{16}/dg,
    isSqueezed: true,
    least: 20,
    accepts: isMixed,
    examples: ["AKIAQ7M2ZX9LKD4PWT8N", "AKI AQ7M 2ZX9 LKD4 PWT8 N"],
    counterExamples: ["AKIAIOSFODNN7EXAMPLE", "AKIA is a prefix"],
  },
  {
    name: "maps key",
    class: "api_key",
    find: /AIza[\w-]{33,36}/dg,
    isSqueezed: false,
    examples: ["AIzaB7kQ2mXz9LwT4vNcR8yHs1Pd6Ju0Ge3Fa5K"],
    counterExamples: ["AIza is how they begin"],
  },
  {
    name: "maps key, pulled apart",
    class: "api_key",
    find: /AIza\w{28,36}/dg,
    isSqueezed: true,
    least: 36,
    accepts: isMixed,
    examples: ["AIza B7kQ 2mXz 9LwT 4vNc R8yH s1Pd 6Ju0 Ge3F a5K"],
    counterExamples: ["AIza is how they begin"],
  },
  {
    name: "mail service key",
    class: "api_key",
    find: /SG\.[\w-]{16,32}\.[\w-]{30,60}/dg,
    isSqueezed: true,
    least: 60,
    examples: ["SG.k2Lm8QxZ0aTvB4nWc6Yd.r7Pq1sKd93LmZx04TbVcQ8w2EyUiOaS5dFgHjK"],
    counterExamples: ["SG.com is a page"],
  },
  {
    name: "key named beside it",
    class: "api_key",
    find: /(?<![A-Za-z])(?:api|access|secret|signing|encryption|account|maps|service|our|the|my|staging|prod(?:uction)?)?[ _-]?key(?![a-z])[^\n]{0,60}?[\s=:"'](?<value>[A-Za-z0-9/+_-]{24,200}={0,2})(?![\w.-])/dgi,
    isSqueezed: false,
    accepts: (value) => isRandomRun(value),
    examples: [
      "our key, if you need it: 139b75cc4a179c7f86d45fef6806a17e",
      'AWS_SECRET_KEY="k8Lm2QxZ0aTvB4nWc6YdR7pQ1sKd93LmZx04TbVc"',
    ],
    counterExamples: [
      "const key = await vault.read('maps')",
      "the primary key is 9f1c2e7a-1b2c-4d3e-8f90-a1b2c3d4e5f6",
      "key features of AbstractSingletonProxyFactoryBean",
    ],
  },
  {
    name: "key named beside it, pulled apart",
    class: "api_key",
    find: /(?<![a-z])key(?![a-z])[^\n]{0,60}?[\s=:"'](?<value>[0-9a-f]{4,8}(?: [0-9a-f]{4,8}){3,10}(?: [0-9a-f]{1,8})?)(?![\w.-])/dgi,
    isSqueezed: false,
    accepts: (value) =>
      /^[0-9a-f]{32}(?:[0-9a-f]{8})?(?:[0-9a-f]{24})?$/i.test(value.replaceAll(" ", "")) && hasDigitsAndLetters(value),
    examples: ["the key is 139b75 cc4a17 9c7f86 d45fef 6806a1 7e"],
    counterExamples: ["the key dates are 1914 1918 1939 1945"],
  },
];

/** A long run as keys are: digits among letters. No UUID, no path, no date. */
function isRandomRun(value: string): boolean {
  if (/^[\da-f]{8}-[\da-f]{4}-/i.test(value) || isPlaceholder(value) || /EXAMPLE/i.test(value)) return false;
  const digits = value.replaceAll(/\D/g, "").length;
  return digits >= 4 && /[A-Za-z]/.test(value) && (looksRandom(value) || /^[\da-f]+$/i.test(value));
}

/** Tokens that a program shows to be let in. */
export const tokenPatterns: readonly DetectionPattern[] = [
  {
    name: "code host token",
    class: "token",
    find: /gh[pousr]_[A-Za-z0-9]{36}/dg,
    isSqueezed: true,
    least: 40,
    examples: ["ghp_a8Kd03mZqLw72nVbXyT4c9Rf5Hs1Pj6Ue0Gi", "ghp_a8Kd03mZqL\nw72nVbXyT4c9Rf5Hs1Pj6Ue0Gi"],
    counterExamples: ["ghp_ is the prefix", "ghp_short"],
  },
  {
    name: "code host token with a long form",
    class: "token",
    find: /github_pat_\w{50,90}/dg,
    isSqueezed: true,
    least: 80,
    accepts: isMixed,
    examples: ["github_pat_11A8KD03MZ0QLW72NVBX_y4T9c2Rf5Hs1Pj6Ue0Gi8Kd03mZqLw72nVbXyT4c9Rf5Hs"],
    counterExamples: ["github_pat_ tokens are fine-grained"],
  },
  {
    name: "second code host token",
    class: "token",
    find: /glpat-[\w-]{20,40}/dg,
    isSqueezed: false,
    examples: ["glpat-a8Kd03mZqLw72nVbXyT4"],
    counterExamples: ["glpat-token"],
  },
  {
    name: "second code host token, pulled apart",
    class: "token",
    find: /glpat\w{16,40}/dg,
    isSqueezed: true,
    least: 23,
    accepts: isMixed,
    examples: ["glpa t-a8 Kd03 mZqL w72n VbXy T4"],
    counterExamples: ["glpat tokens are short"],
  },
  {
    name: "chat token",
    class: "token",
    find: /xox[abeprs]-?\d{8,14}-?\d{8,14}-?[A-Za-z0-9]{16,64}/dg,
    isSqueezed: true,
    least: 46,
    examples: ["xoxb-123847569012-998877665544-a8Kd03mZqLw72nVbXyT4c9Rf"],
    counterExamples: ["xoxb tokens are for bots"],
  },
  {
    name: "package registry token",
    class: "token",
    find: /npm_[A-Za-z0-9]{36}/dg,
    isSqueezed: true,
    least: 40,
    examples: ["npm_a8Kd03mZqLw72nVbXyT4c9Rf5Hs1Pj6Ue0Gi"],
    counterExamples: ["npm_config_registry"],
  },
  {
    name: "model hub token",
    class: "token",
    find: /(?<![a-z])hf_[A-Za-z0-9]{30,40}|hf_[A-Za-z0-9]{34}/dg,
    isSqueezed: true,
    least: 37,
    examples: ["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"],
    counterExamples: ["hf_hub_download"],
  },
  {
    name: "signed token",
    class: "token",
    find: /eyJ[\w-]{8,400}\.eyJ[\w-]{8,800}\.[\w-]{16,800}/dg,
    isSqueezed: true,
    least: 80,
    examples: ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtYWRlLXVwIn0.Qe6W8vLolXgVnet1nZdJ8qEJ9D"],
    counterExamples: ["eyJ0aGVtZSI6ImRhcmsiLCJzaXplIjozfQ=="],
  },
  {
    name: "bearer token",
    class: "token",
    find: /bearer\s{1,4}[\w.~+/=-]{20,800}/dgi,
    isSqueezed: false,
    accepts: isMixed,
    examples: ["Authorization: Bearer a8Kd03mZqLw72nVbXyT4"],
    counterExamples: [
      "Authorization: Bearer <your token>",
      "what is a bearer token?",
      "bearer authentication-middleware",
    ],
  },
  {
    name: "bearer token, pulled apart",
    class: "token",
    find: /(?<![a-z])[Bb]earer[\w.~+/=]{24,800}/dg,
    isSqueezed: true,
    least: 30,
    accepts: (value) => looksRandom(value.slice(6), 8) && /\d/.test(value),
    examples: ["Bearer a8Kd0 3mZqL w72nV bXyT4 c9Rf5 Hs1Pj"],
    counterExamples: ["bearer tokens are described in chapter 3 of the handbook"],
  },
  {
    name: "token named beside it",
    class: "token",
    find: /(?<![A-Za-z])(?:token|secret|credential)s?[ _]?(?:is|=|:|was)\s{0,3}["']?(?<value>[A-Za-z0-9/+_.-]{20,200}={0,2})(?![\w(])/dgi,
    isSqueezed: false,
    accepts: (value) => isRandomRun(value),
    examples: ["the token is a8Kd03mZqLw72nVbXyT4c9"],
    counterExamples: ["token: process.env.NPM_TOKEN_2024_AB12", "rotate the token every 90 days"],
  },
];

/** Private keys in the forms that programs write them in. */
export const privateKeyPatterns: readonly DetectionPattern[] = [
  {
    name: "private key block",
    class: "private_key",
    find: /-{5}BEGIN [A-Z ]{0,24}PRIVATE KEY(?: BLOCK)?-{5}(?:[\s\w+/=:,.-]{0,8000}?-{5}END [A-Z ]{0,24}PRIVATE KEY(?: BLOCK)?-{5}|[\s\w+/=]{0,8000})/dg,
    isSqueezed: false,
    examples: [
      "-----BEGIN PRIVATE KEY-----\nMIIa8Kd03m\n-----END PRIVATE KEY-----",
      "-----BEGIN RSA PRIVATE KEY-----\nMIIa8K",
    ],
    counterExamples: ["-----BEGIN PUBLIC KEY-----\nMIIa8K", "the BEGIN PRIVATE KEY line"],
  },
  {
    name: "private key block, pulled apart",
    class: "private_key",
    find: /BEGIN(?:RSA|EC|DSA|OPENSSH|ENCRYPTED|PGP)?PRIVATEKEY[\w+/=]{40,8000}/dg,
    isSqueezed: true,
    least: 60,
    accepts: (value) => looksRandom(value, 10),
    examples: ["BEGIN PRIV ATE KEY a8Kd03mZqLw72nVbXyT4c9Rf5Hs1Pj6Ue0Gia8Kd03mZqLw72nVbXyT4"],
    counterExamples: ["BEGIN PRIVATE KEY is the first line of such a file, and then comes the key itself"],
  },
  {
    name: "age key",
    class: "private_key",
    find: /AGE-?SECRET-?KEY-?1[A-Z0-9]{50,60}/dg,
    isSqueezed: true,
    least: 71,
    examples: ["AGE-SECRET-KEY-1QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE"],
    counterExamples: ["AGE-SECRET-KEY-1 is how they begin"],
  },
];

/** Numbers that publishers of payment systems give for tests, without separators. */
const publishedNumbers: ReadonlySet<string> = new Set(
  `4242424242424242 4111111111111111 4012888888881881 4222222222222 4000056655665556 5555555555554444 5105105105105100
   2223003122003222 5200828282828210 378282246310005 371449635398431 378734493671000 6011111111111117 6011000990139424
   6011000000000004 3056930009020004 30569309025904 38520000023237 36227206271667 3530111333300000 3566002020360505
   4000002500003155 4000000000000002 4000000000009995 5454545454545454 4917610000000000 6759649826438453
   GB82WEST12345698765432 GB33BUKB20201555555555 GB29NWBK60161331926819 DE89370400440532013000 FR1420041010050500013M02606
   NL91ABNA0417164300 ES9121000418450200051332 IT60X0542811101000000123456 BE68539007547034 AT611904300234573201
   CH9300762011623852957`.split(/\s+/),
);

/** What networks of cards begin with, and how long their numbers are. */
const networks: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|2[2-7])/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^(?:30[0-5]|3689?|36|38|39)/, [14]],
  [/^35/, [16]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6[37])/, [16]],
];

/** Whether digits, perhaps with spaces and dashes, are the number of a card: of a known network, by Luhn's sum, not published. */
export function isCardNumber(value: string): boolean {
  const digits = value.replaceAll(/[ -]/g, "");
  if (!networks.some(([begin, lengths]) => begin.test(digits) && lengths.includes(digits.length))) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const each = Number(digits.at(-1 - index));
    sum += index % 2 === 0 ? each : each > 4 ? 2 * each - 9 : 2 * each;
  }
  return sum % 10 === 0 && !publishedNumbers.has(digits);
}

/** How long the account numbers of a country are, by its code. */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27
   GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 MC27 MD24
   ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24
   TR26 UA29 VA22 VG24 XK20`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/**
 * The account number that a run of letters and digits begins with, in units of the run, spaces and dashes counted: of the
 * country's length, its remainder by 97 is 1, not published. 0: there is none.
 */
export function lengthOfIban(run: string): number {
  const wanted = ibanLengths.get(run.slice(0, 2).toUpperCase()) ?? 0;
  let bare = "";
  let end = 0;
  while (end < run.length && bare.length < wanted) {
    const unit = run.charAt(end++);
    if (unit !== " " && unit !== "-") bare += unit.toUpperCase();
  }
  if (wanted === 0 || bare.length < wanted || publishedNumbers.has(bare)) return 0;
  let remainder = 0;
  for (const unit of bare.slice(4) + bare.slice(0, 4)) {
    const value = Number.parseInt(unit, 36);
    if (Number.isNaN(value)) return 0;
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1 ? end : 0;
}

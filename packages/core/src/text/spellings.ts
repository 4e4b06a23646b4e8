/** Words in `-our` that are spelled `-or` elsewhere, and what may follow. */
const inOur =
  "armour behaviour colour endeavour favour flavour glamour harbour honour humour labour neighbour odour rigour rumour saviour savour splendour tumour vapour vigour";
const afterOur: readonly string[] = " s ed ing er ers able ably al ful hood hoods ite ites less ly y".split(" ");

/** Other words that are spelled in two ways. Each stands for its plural in `-s`, too. */
const others = `
  aluminium aluminum, anaemia anemia, analogue analog, artefact artifact, calibre caliber, catalogue catalog, centimetre centimeter,
  centre center, cheque check, chequebook checkbook, cosy cozy, defence defense, dialogue dialog, diarrhoea diarrhea, doughnut donut,
  draught draft, enrol enroll, enrolment enrollment, fibre fiber, fulfil fulfill, fulfilment fulfillment, grey gray,
  gynaecologist gynecologist, haemoglobin hemoglobin, instalment installment, jewellery jewelry, judgement judgment, kerb curb,
  kilometre kilometer, licence license, litre liter, manoeuvre maneuver, metre meter, millimetre millimeter, mould mold,
  moustache mustache, mum mom, mummy mommy, oestrogen estrogen, offence offense, orthopaedic orthopedic, paediatric pediatric,
  paediatrician pediatrician, plough plow, practise practice, pretence pretense, programme program, pyjama pajama, sceptic skeptic,
  sceptical skeptical, skilful skillful, storey story, theatre theater, tyre tire, whisky whiskey, yoghurt yogurt`;

const spellings: ReadonlyMap<string, string> = new Map([
  ["maths", "math"],
  ...inOur.split(" ").flatMap((word) => afterOur.map((end) => [word + end, word.replace("our", "or") + end] as const)),
  ...others.split(",").flatMap((pair) => {
    const [one = "", other = ""] = pair.trim().split(" ");
    return ["", "s"].map((end) => [one + end, other + end] as const);
  }),
]);

/** What may follow `-is-` and `-ys-` where they are also spelled with a z. */
const afterS: ReadonlySet<string> = new Set("e ed es er ers ing ation ations".split(" "));
/** Shorter beginnings are words such as `noise` and `rising`. */
const leastBefore = 3;
/** With a z their stem would be that of `improve`, `parade` and `treat`. */
const onlyWithS = /^(?:improvis|paradis|treatis)/u;

/**
 * An English word in the one of its spellings that stands for all: `colour` as `color`, `organise` as `organize`, `licence` as
 * `license`. Whatever has but one spelling may be given another, as long as it stays apart from other words: `exercise` becomes
 * `exercize`.
 *
 * @param word in lower case. Takes time linear in it
 */
export function spelledOneWay(word: string): string {
  const known = spellings.get(word);
  if (known !== undefined) return known;
  const at = Math.max(word.lastIndexOf("is"), word.lastIndexOf("ys"));
  if (at < leastBefore || !afterS.has(word.slice(at + 2)) || onlyWithS.test(word)) return word;
  return `${word.slice(0, at + 1)}z${word.slice(at + 2)}`;
}

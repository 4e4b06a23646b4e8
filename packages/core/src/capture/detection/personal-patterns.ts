import { isCardNumber, lengthOfIban } from "./checked-numbers.ts";
import type { DetectionPattern } from "./detection-pattern.ts";

/** Numbers of cards, accounts and papers of persons. */
export const numberPatterns: readonly DetectionPattern[] = [
  {
    name: "card number",
    class: "card",
    find: /(?<![\w#.,/+-])\d(?:[ -]?\d){12,18}(?![\w/])/dg,
    isSqueezed: false,
    accepts: isCardNumber,
    examples: ["charge 4539 5787 6362 1486 please", "4539-5787-6362-1486"],
    counterExamples: ["4242 4242 4242 4242", "order 4539 5787 6362 1487", "1790000000 to 1790003600"],
  },
  {
    name: "card number, pulled apart",
    class: "card",
    find: /(?<![\d#.,/+])\d{13,19}(?!\d)/dg,
    isSqueezed: true,
    accepts: isCardNumber,
    examples: ["charge 4 5 3 9 5 7 8 7 6 3 6 2 1 4 8 6 please", "4539-5787\n-6362-1486"],
    counterExamples: ["4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2"],
  },
  {
    name: "account number",
    class: "iban",
    find: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Za-z0-9])/dgi,
    isSqueezed: false,
    accepts: (value) => lengthOfIban(value) === value.length,
    examples: ["DE75 5121 0800 1245 1261 99", "gb94barc10201530093459"],
    counterExamples: ["GB82 WEST 1234 5698 7654 32", "DE75 5121 0800 1245 1261 98"],
  },
  {
    name: "account number among words or pulled apart",
    class: "iban",
    find: /[A-Z]{2}\d{2}[A-Z0-9]{11,30}/dg,
    isSqueezed: true,
    accepts: (value) => lengthOfIban(value) > 0,
    examples: ["my account is D E 7 5 5 1 2 1 0 8 0 0 1 2 4 5 1 2 6 1 9 9", "DE75 5121 0800 1245 1261 99 BIC ABCDEF"],
    counterExamples: ["DE75 5121 0800 1245 1261 98"],
  },
  {
    name: "social security number",
    class: "government_id",
    find: /(?<![\w-])(?:social security|ssn|social insurance)(?![a-z])[^\n\d]{0,30}(?<value>\d{3}[- ]?\d{2}[- ]?\d{4})(?!\d)/dgi,
    isSqueezed: false,
    examples: ["my social security number is 912-34-5678", "SSN: 912345678"],
    counterExamples: ["social security was founded in 1935", "call 912-34-5678"],
  },
  {
    name: "social security number, pulled apart",
    class: "government_id",
    find: /(?:socialsecurity|socialinsurance|ssn)(?:number)?(?:is|:|=)?(?<value>\d{9})(?!\d)/dgi,
    isSqueezed: true,
    examples: ["my social security number is 9 1 2 - 3 4 - 5 6 7 8"],
    counterExamples: ["social security number 12"],
  },
  {
    name: "number of a paper",
    class: "government_id",
    find: /(?<![a-z])(?:passport|id card|identity card|national id|personal id|national insurance|driv(?:er'?s?|ing) licen[cs]e|tax id|tax number|residence permit)(?: (?:number|no\.?|id))?(?: is|:|=| =| was)? {0,2}(?<value>[A-Z0-9](?:[ -]?[A-Z0-9]){5,13})(?![A-Za-z0-9])/dgi,
    isSqueezed: false,
    accepts: (value) => value === value.toUpperCase() && (value.match(/\d/g)?.length ?? 0) >= 2,
    examples: [
      "passport number QX 83 51 25 D, expires soon",
      "ID card number: K7P27YPJ3",
      "national insurance number X1586020",
    ],
    counterExamples: ["passport number is on page 2", "my ID card expires 2027"],
  },
  {
    name: "number of a paper, pulled apart",
    class: "government_id",
    find: /(?:passport|idcard|identitycard|nationalinsurance|drivinglicence)(?:number|no\.?)(?:is|:|=)?(?<value>[A-Z0-9]{7,10})/dg,
    isSqueezed: true,
    accepts: (value) => (value.match(/\d/g)?.length ?? 0) >= 2,
    examples: ["passport number Q X 8 3 5 1 2 5 D"],
    counterExamples: ["passport number is on page 2"],
  },
];

const longPrefix = /^\+\d/;

/** Ways to reach a person. */
export const contactPatterns: readonly DetectionPattern[] = [
  {
    name: "e-mail address",
    class: "email",
    find: /(?<![\p{L}\p{N}_.%+-])[\p{L}\p{N}_.%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,5}\p{L}{2,24}(?![\p{L}\p{N}-]|:[\w~/])/dgu,
    isSqueezed: false,
    accepts: (value) => !value.startsWith("git@"),
    examples: ["cc jo.berg3@firm.example please"],
    counterExamples: ["git@host.example:group/project", "install @scope/package", "she has my e-mail address"],
  },
  {
    name: "e-mail address in words",
    class: "email",
    find: /(?<![\w.%+-])[\w.%+-]{1,64} ?(?:[([{] ?at ?[)\]}]| at (?=[\w-]{1,40} dot )) ?[\w-]{1,63}(?: ?(?:[([{] ?dot ?[)\]}]| dot |\.) ?[\w-]{1,63}){1,4}/dgi,
    isSqueezed: false,
    examples: ["write to jo.berg3 (at) mail dot example", "jo [at] mail.example"],
    counterExamples: ["meet me at the station", "look at dot plots"],
  },
  {
    name: "telephone number with a country",
    class: "phone",
    find: /(?<![\w+])(?:\+|00)[1-9]\d{0,2}(?:[ ./()-]{0,2}\d){6,13}(?!\d)/dg,
    isSqueezed: false,
    accepts: (value) => longPrefix.test(value) || value.length >= 12,
    examples: ["call +44 7700 900344", "+1 (202) 555-0110", "0049 171 3920076"],
    counterExamples: ["a change of +12 percent", "1790000000 to 1790003600"],
  },
  {
    name: "telephone number pulled apart",
    class: "phone",
    find: /\+[1-9]\d{8,14}(?!\d)/dg,
    isSqueezed: true,
    examples: ["+ 4 4 7 7 0 0 9 0 0 3 4 4", "+44 7700\n900344"],
    counterExamples: ["+12 percent"],
  },
  {
    name: "telephone number named beside it",
    class: "phone",
    find: /(?:(?<![a-z])(?:phone|mobile|cell|tel|telephone|whatsapp|call me|text me|ring me|reach me|(?:my|his|her|their|our) number)|[a-z]['’]s number)(?![a-z])[^\n\d+]{0,20}(?<value>\(?0\d(?:[ ./()-]{0,2}\d){7,11}|\(?[2-9]\d{2}\)?[ .-]\d{3}[ .-]\d{4})(?!\d)/dgi,
    isSqueezed: false,
    examples: ["the plumber's number is 06-48213907", "my mobile is 0171 3920076", "call me on (202) 555-0110"],
    counterExamples: ["we store phone numbers encrypted", "my number is 12"],
  },
];

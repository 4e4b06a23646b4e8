import type { DetectionPattern } from "./detection-pattern.ts";
import { isPlaceholder, looksRandom } from "./random-looking.ts";

const isStrong = (value: string): boolean => looksRandom(value) && !/[()[\]{}<>]|:\/\//.test(value);
/** Right behind `is`, `:` or `=` a digit or a sign among letters is enough. */
const isChosen = (value: string): boolean =>
  !isPlaceholder(value) &&
  !/[()[\]{}<>]|^[-\w]{1,40}\.[a-z]{1,40}$|:\/\//.test(value) &&
  (looksRandom(value, 2) || (/[A-Za-z]/.test(value) && /\d/.test(value) && /[!$%#&@?^*+~]/.test(value)));

/** `Fluffy2019`: what people choose. Names of methods are written like it. */
const isWordWithNumber = (value: string): boolean =>
  /^[A-Za-z]{3,40}\d{1,8}[!?.,;]{0,3}$/.test(value) && !isPlaceholder(value) && !nameOfMethod.test(value);
const nameOfMethod = /^(?:sha|md|aes|rsa|hmac|scrypt|bcrypt|argon|base|utf|version|level|step|rule|field|policy)\d/i;

/**
 * Passwords that stand beside the word. Two patterns look behind `is`: the more words may stand between, the more the value itself has to
 * look like a password. Behind `the wifi password at home is` anything may follow, so a digit or a sign among its letters is asked for.
 * Behind `my bank password is`, or `… for the bank is`, nothing else could, so that a word with a number is enough: that is what people
 * choose, in other languages as well.
 */
export const passwordPatterns: readonly DetectionPattern[] = [
  {
    name: "password behind is, with other words between",
    class: "password",
    needs: ["pass", "pw"],
    find: /(?<![A-Za-z])(?:pass(?:word|phrase|code|wd)|pw|pwd)(?![a-z])(?: (?:for|at|of|to|on|in|the|my|our|your|is|a|home|work|test|box|guest|[a-z]{1,12})){0,5}(?: is|:|=| =)\s{0,3}["']?(?<value>[^\s"'<>]{6,80})/dgi,
    isSqueezed: false,
    accepts: isChosen,
    examples: ["the wifi password at home is Gr4pe&Kite-77", "pw: Hazel$kLm2Q", "PASSWORD=q8!Lw3zT"],
    counterExamples: [
      'password = os.environ["DB_PASSWORD"]',
      "password: ********",
      "the password policy is twelve characters",
      "the password is wrong",
    ],
  },
  {
    name: "password right behind is, or behind what it is for",
    class: "password",
    needs: ["pass", "pw", "mot de", "kennwort", "contrase", "wachtwoord", "senha"],
    find: /(?<!\p{L})(?:pass(?:word|phrase|code|wd|wort)|kennwort|pw|pwd|contrase[n\u00f1]a|mot de passe|wachtwoord|senha)(?!\p{L})(?: (?:for|at|of|to|on|in|f\u00fcr|para|de|do|da|du|pour|voor|van)(?: (?:the|my|our|el|la|le|das|den|die|het|mijn|mein|meine))? \p{L}{1,20}){0,2}(?: is| was| ist| lautet| es| est| \u00e9|:|=| =)\s{0,3}["']?(?<value>[^\s"'<>]{6,80})/dgiu,
    isSqueezed: false,
    accepts: (value) => isWordWithNumber(value) || isChosen(value),
    examples: ["My Netflix password is Fluffy2019", "Mein Passwort ist Sommer2024!", "mi contraseña es Gr4pe&Kite-77"],
    counterExamples: [
      "the password hash is sha256",
      "the password is wrong",
      "My password is hunter2",
      "the password for the demo is on page 12",
      "Das Passwort ist falsch",
    ],
  },
  {
    name: "password behind the word",
    class: "password",
    needs: ["pass", "pw"],
    find: /(?<![A-Za-z])(?:pass(?:word|phrase|code|wd)|pw|pwd)(?![a-z])[,:]?(?: (?:for|at|of|to|from|was|is|now|the|my|our|[a-z]{1,12})){0,4}[ \n]["']?(?<value>[^\s"'<>]{6,80})/dgi,
    isSqueezed: false,
    accepts: isStrong,
    examples: ["login root, password Hazel-7QkLmF , first floor", "change my password from Hazel.Otj2juD to something"],
    counterExamples: [
      "I forgot my password again",
      "the password field of Login-Form 2",
      "password rotation with Vault-1.15",
    ],
  },
  {
    name: "password before the word",
    class: "password",
    needs: ["pass", "pw"],
    find: /(?<![^\s"'(])(?<value>[^\s"'<>]{6,80})["']?,? (?:[-\u2013] )?(?:that's|that is|is|was|as) (?:the|my|our|a|your) (?:[a-z]{1,12} ){0,2}(?:pass(?:word|phrase|code|wd)|pw|pwd)(?![a-z])/dgi,
    isSqueezed: false,
    accepts: isStrong,
    examples: ["it's Hazel$RIgNwFhJR - that's the password for the printer", "Hazel-7QkLmF is the wifi password"],
    counterExamples: ["Postgres-17 is the password store", "this is the password screen"],
  },
  {
    name: "password behind a login",
    class: "password",
    needs: ["login", "credential", "creds", "account"],
    find: /(?<![A-Za-z])(?:login|credentials?|creds|account)(?![a-z])[^\n:=]{0,60}[:=]\s{0,3}["']?[^\s"'<>:/]{1,60}["']?\s{0,2}(?:\/|:|,|and|\|)\s{0,2}["']?(?<value>[^\s"'<>]{6,80})/dgi,
    isSqueezed: false,
    accepts: isChosen,
    examples: ["wifi sensor login if you need it: ulf / Hazel!7714vinter", "router login: admin / q8!Lw3zT"],
    counterExamples: [
      "login: the page at /settings/profile",
      "account: DE-4711 / Postgres-17",
      "login page: i18n, native date picker",
    ],
  },
];

/** Addresses of databases and the like that hold a password. */
export const connectionPatterns: readonly DetectionPattern[] = [
  {
    name: "address with a password",
    class: "connection_string",
    needs: ["://"],
    find: /(?<![a-z0-9+.-])[a-z][a-z0-9+.]{1,20}:\/\/[^\s:/@"'<>]{0,64}:(?<password>[^\s/@"'<>]{3,128})@[^\s"'<>,]{3,200}/dgi,
    isSqueezed: false,
    accepts: hasPassword,
    examples: ["postgres://app:q8LwzT3k@db.example:5432/main", "redis://:Rv8ZgbQd@cache.example:6379/0"],
    counterExamples: [
      "postgres://localhost:5432/test",
      "https://page.example/a:b@c",
      "postgres://user:<password>@db.example",
    ],
  },
  {
    name: "address with a password, pulled apart",
    class: "connection_string",
    needs: ["://"],
    find: /(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|rediss?|amqps?|mssql|https?|ftp|smtp|ldap):\/\/[^\s:/@"'<>]{0,64}:(?<password>[^\s/@"'<>]{3,128})@[^\s"'<>,]{3,200}/dgi,
    isSqueezed: true,
    least: 20,
    accepts: hasPassword,
    examples: ["postgres://app:q8Lwz\nT3k@db.example:5432/main"],
    counterExamples: ["postgres://localhost:5432/test"],
  },
  {
    name: "settings with a password",
    class: "connection_string",
    needs: ["="],
    find: /(?<![a-z])(?:server|host|data source|datasource|endpoint|accountname|defaultendpointsprotocol)=[^\s;]{1,120};(?:[a-z ]{1,30}=[^;\n]{1,120};){0,8}(?:password|pwd|accountkey|sharedaccesskey)=(?<password>[^\s;]{4,160});?/dgi,
    isSqueezed: false,
    accepts: hasPassword,
    examples: ["Server=sql.example;Database=crm;User Id=sa;Password=q8LwzT3kPd;"],
    counterExamples: ["Server=sql.example;Database=crm;Trusted_Connection=True;", "Server=a;Password=<password>;"],
  },
  {
    name: "settings with a password, pulled apart",
    class: "connection_string",
    needs: ["="],
    find: /(?:server|host|datasource|endpoint|accountname|defaultendpointsprotocol)=[^\s;]{1,120};(?:[a-z]{1,30}=[^;\n]{1,120};){0,8}(?:password|pwd|accountkey|sharedaccesskey)=(?<password>[^\s;]{4,160});?/dgi,
    isSqueezed: true,
    least: 30,
    accepts: hasPassword,
    examples: ["Server=sql.example;Database=crm;U\nser Id=sa;Password=q8LwzT3kPd;"],
    counterExamples: ["Server=sql.example;Database=crm;"],
  },
];

function hasPassword(value: string): boolean {
  const password =
    /:\/\/[^:]{0,64}:([^@]{1,128})@/.exec(value)?.[1] ?? /(?:password|pwd|key)=([^;]{1,160})/i.exec(value)?.[1];
  return password !== undefined && !isPlaceholder(password);
}

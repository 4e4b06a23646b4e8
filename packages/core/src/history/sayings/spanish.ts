import type { Saying } from "./saying.ts";

export const spanish: readonly Saying[] = [
  {
    kind: "decision",
    words: "(?:fecha límite|plazo|presupuesto) (?:es|sigue)",
    examples: ["La fecha límite es el 24 de diciembre.", "El presupuesto es de 4.000 euros."],
    counterexamples: ["¿Hay una fecha límite?"],
  },
  {
    kind: "decision",
    words:
      "(?:hemos|he|has|han|ha|fue|está|quedó) (?:\\p{L}+ )?(?:decidid[oa]s?|acordad[oa]s?|elegid[oa]s?|optado|aprobad[oa]s?|confirmad[oa]s?)|decidimos|acordamos|elegimos|optamos|quedamos en|(?:la|nuestra) decisión (?:es|fue)|decisión:",
    examples: [
      "Hemos decidido guardar las sesiones en Redis.",
      "Se ha acordado no publicar los viernes.",
      "Elegimos ES256.",
      "La decisión es entregar el lunes.",
    ],
    counterexamples: [
      "Aquí no hay ninguna decisión.",
      "Todavía no hemos decidido.",
      "No se ha decidido nada.",
      "Cuando hayamos decidido, te lo digo.",
    ],
  },
  {
    kind: "decision",
    words: "^de acuerdo(?! con)|estamos de acuerdo|vamos con|usemos|nos quedamos con|adelante con|hagámoslo",
    examples: ["De acuerdo, lo hacemos así.", "Vamos con PyJWT.", "Nos quedamos con PostgreSQL."],
    counterexamples: ["De acuerdo con la norma, es un texto.", "No estamos de acuerdo.", "Vamos contigo."],
  },
  {
    kind: "decision",
    words:
      "(?:nunca|siempre|no) (?:se )?(?:debe|deben|debemos|hay que)|(?:debe|deben|debemos|hay que) (?:\\p{L}+ )?(?:nunca|siempre)",
    examples: ["Nunca se debe registrar la clave.", "Hay que ejecutar siempre las pruebas."],
    counterexamples: ["Debe de llover mañana."],
  },
  {
    kind: "decision",
    words:
      "(?:está|están|he|hemos|fue|queda) (?:\\p{L}+ )?(?:reservad[oa]s?|pagad[oa]s?|pedid[oa]s?|cancelad[oa]s?|firmad[oa]s?)|^(?:reservado|pagado|cancelado)(?=[ :,.!])",
    examples: ["La habitación está reservada.", "He pagado el vuelo.", "Reservado: dos habitaciones."],
    counterexamples: ["La habitación reservada es pequeña."],
  },
  {
    kind: "likelyDecision",
    words:
      "(?:vamos a|voy a) (?:usar|utilizar|mantener|guardar|cambiar|escribir|elegir|desplegar|publicar|quitar|añadir|reservar|comprar|mudarnos|dejar|poner)|(?:usaremos|usaré|utilizaremos|utilizaré|mantendremos|escribiré|escribiremos)|prefiero|preferimos|en lugar de",
    examples: ["Voy a escribir las pruebas en Go.", "Usaremos ES256.", "Prefiero el tren."],
    counterexamples: ["Voy a pensarlo.", "Vamos a ver."],
  },
  {
    kind: "noDecision",
    words:
      "(?:ninguna|sin|no hay(?: una)?|no tenemos(?: una)?) (?:\\p{L}+ )?decisi(?:ón|ones)|(?:no|nunca|nadie|nada|ni) (?:\\p{L}+ ){0,3}(?:decidid[oa]s?|decidimos|acordad[oa]s?|acordamos|elegid[oa]s?|aprobad[oa]s?|confirmad[oa]s?|de acuerdo)",
    examples: [
      "Aquí no hay ninguna decisión.",
      "Todavía no hemos decidido.",
      "No se ha decidido nada.",
      "Nadie lo ha aprobado.",
      "No estamos de acuerdo.",
    ],
    counterexamples: ["Hemos decidido no usar Redis.", "De acuerdo, nada cambia."],
  },
  {
    kind: "noDecision",
    words:
      "(?:si|cuando|en cuanto|hasta que|antes de que|una vez que) (?:\\p{L}+ ){1,5}(?:decid|acord|eleg|elij|aprob|aprueb|confirm)\\p{L}*",
    examples: ["Cuando hayamos decidido, te lo digo.", "Espera hasta que Ana lo haya aprobado."],
    counterexamples: ["Decidimos cuando era tarde."],
  },
  {
    kind: "openPoint",
    words:
      "por (?:decidir|definir|hacer|aclarar)|pendientes?|no está (?:claro|decidido)|no (?:estoy|estamos) segur[oa]s?|queda por|quedan por|preguntas? abiertas?",
    examples: ["La fecha está por definir.", "No está claro quién paga.", "Queda por elegir el nombre."],
    counterexamples: ["Está claro."],
  },
  {
    kind: "progress",
    words:
      "(?<!de )hech[oa]s?|terminad[oa]s?|list[oa]s?|completad[oa]s?|corregid[oa]s?|añadid[oa]s?|cread[oa]s?|actualizad[oa]s?|implementad[oa]s?|fallan?|funciona (?:ahora|ya)|a continuación|siguiente paso|ahora (?:voy|vamos)",
    examples: ["La corrección está lista.", "Fallan dos pruebas.", "Siguiente paso: el analizador."],
    counterexamples: ["Buenos días.", "De hecho, no lo sé."],
  },
  {
    kind: "change",
    words:
      "modificad[oa]s?|modifiqué|actualizad[oa]s?|actualicé|cread[oa]s?|creé|añadid[oa]s?|añadí|eliminad[oa]s?|eliminé|renombrad[oa]s?|escrit[oa]s?|escribí|corregid[oa]s?|corregí",
    examples: ["He modificado src/login.ts.", "Creé README.md."],
    counterexamples: ["Véase README.md."],
  },
  {
    kind: "greeting",
    words: "(?:hola|buenos días|buenas (?:tardes|noches)|gracias|muchas gracias|sí|no|vale|claro)",
    examples: ["¡Hola a todos!", "Muchas gracias."],
    counterexamples: ["Quiero cancelar mi vuelo.", "Valencia está lejos."],
  },
];

import type { Saying } from "./saying.ts";

/** How one answers in Spanish, and goes back on what was said. */
export const spanishReplies: readonly Saying[] = [
  {
    kind: "acceptance",
    words:
      "(?:sí|vale|ok|claro|de acuerdo|perfecto|exacto|por favor|por supuesto|adelante|hazlo|hágalo|muy bien|me parece bien|suena bien)",
    examples: ["Sí, por favor.", "De acuerdo.", "¡Vale!"],
    counterexamples: ["Sí, pero en mayo.", "No.", "Todavía no."],
  },
  {
    kind: "changedAcceptance",
    words: "(?:pero|solo|sólo|salvo|excepto)",
    examples: ["Sí, pero a las dos.", "Vale, pero no el lunes."],
    counterexamples: ["Sí.", "No, pero gracias.", "Es bueno, pero caro."],
  },
  {
    kind: "asksWhich",
    words: "qué|cuál|cuáles|quién|quiénes|cuándo|dónde|cómo|por qué|cuánt[oa]s?",
    examples: ["¿Cuál tomamos?", "¿Cuántos son?"],
    counterexamples: ["¿Reservo el vuelo?"],
  },
  {
    kind: "takesBack",
    words:
      "(?:^|(?<=[,;:] ))(?:olvida|olvídate|olvidemos|cancela|cancele|descarta) \\p{L}+|al final|mejor no|en vez de|en lugar de|(?:está|queda|están|quedan) (?:cancelad|descartad|anulad)[oa]s?|cambi(?:é|amos|ado) de (?:idea|opinión)|ya no (?:quiero|queremos|hace falta|usamos|vamos)",
    examples: [
      "Olvida Tavira, vamos a Oporto.",
      "Oporto en vez de Tavira.",
      "El camping queda descartado.",
      "He cambiado de idea.",
    ],
    counterexamples: ["No olvides las llaves.", "Ya no sé."],
  },
  {
    kind: "rule",
    words:
      "(?:^|(?<=[,;:] )|por favor,? )(?:nunca|siempre) \\p{L}+|a partir de ahora|de ahora en adelante|en ningún caso|(?:como (?:máximo|mucho)|a más tardar|no más de) (?:\\p{L}+ ){0,3}\\d{1,9}",
    examples: ["Nunca ejecutes nada en producción.", "A partir de ahora, responde en español.", "No más de 110 euros."],
    counterexamples: ["No lo sé.", "Lo de siempre."],
  },
  {
    kind: "settled",
    words:
      "(?:está|están|queda|quedó|ya) (?:\\p{L}+ )?(?:hech[oa]s?|resuelt[oa]s?|confirmad[oa]s?|arreglad[oa]s?)|(?:ha|han|he|hemos) (?:confirmado|resuelto)|confirmó",
    examples: ["Ya está hecho.", "Joana ha confirmado.", "Quedó resuelto."],
    counterexamples: ["No está confirmado.", "¿Quién confirma?"],
  },
  {
    kind: "reminder",
    words: "recuérda(?:me|melo)|no (?:te )?olvid(?:es|e)|todavía tengo que",
    examples: ["Recuérdame mañana.", "No olvides las llaves."],
    counterexamples: ["Me acuerdo."],
  },
  {
    kind: "unsure",
    words: "no (?:estoy|estamos) (?:del todo |muy )?segur[oa]s?",
    examples: ["No estoy segura de eso."],
    counterexamples: ["Es seguro."],
  },
];

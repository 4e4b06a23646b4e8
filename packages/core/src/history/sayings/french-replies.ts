import type { Saying } from "./saying.ts";

/** How one answers in French, and goes back on what was said. */
export const frenchReplies: readonly Saying[] = [
  {
    kind: "acceptance",
    words:
      "(?:oui|ok|d'accord|bien sûr|volontiers|parfait|entendu|exactement|s'il (?:te|vous) plaît|vas-y|allez-y|fais-le|faites-le|ça marche|ça me va|très bien)",
    examples: ["Oui, s'il te plaît.", "D'accord.", "Ça marche !"],
    counterexamples: ["Oui, mais en mai.", "Non.", "Pas encore."],
  },
  {
    kind: "changedAcceptance",
    words: "(?:mais|seulement|sauf)",
    examples: ["Oui, mais à deux heures.", "D'accord, sauf le lundi."],
    counterexamples: ["Oui.", "Non, mais merci.", "C'est bien, mais cher."],
  },
  {
    kind: "asksWhich",
    words: "quel(?:le)?s?|que|quoi|qui|quand|où|comment|pourquoi|combien",
    examples: ["Quel vol prenons-nous ?", "Combien y en a-t-il ?"],
    counterexamples: ["Je réserve le vol ?"],
  },
  {
    kind: "takesBack",
    words:
      "(?:^|(?<=[,;:] ))(?:oublie|oubliez|annule|annulez|laisse tomber|laissez tomber) \\p{L}+|finalement|au lieu (?:de|d'\\p{L}+)|à la place|(?:est|sont) annulée?s?|changé d'avis|(?:ne|n')\\p{L}{0,20} ?(?:voulons|veux|prenons|prends) plus",
    examples: [
      "Oublie Tavira, nous allons à Porto.",
      "Finalement, nous prenons le train.",
      "Porto au lieu de Tavira.",
      "J'ai changé d'avis.",
    ],
    counterexamples: ["N'oublie pas les clés.", "Je ne sais plus."],
  },
  {
    kind: "rule",
    words:
      "(?:ne|n') ?\\p{L}{1,20} jamais|désormais|à partir de maintenant|en aucun cas|(?:au maximum|au plus|au plus tard|pas plus de) (?:\\p{L}+ ){0,3}\\d{1,9}",
    examples: ["Ne lance jamais rien en production.", "Désormais, réponds en français.", "Pas plus de 110 euros."],
    counterexamples: ["Je ne sais pas.", "Toujours pareil."],
  },
  {
    kind: "settled",
    words:
      "(?:est|c'est|sont|a été|ont été) (?:\\p{L}+ )?(?:faite?s?|réglée?s?|résolue?s?|confirmée?s?)|(?:a|ont|ai|avons) (?:tout )?(?:confirmé|réglé)",
    examples: ["C'est fait.", "Joana a confirmé.", "La question est réglée."],
    counterexamples: ["Ce n'est pas encore confirmé.", "Qui confirme ?"],
  },
  {
    kind: "reminder",
    words: "rappelle[sz]?-moi|n'oublie[sz]? pas|je dois encore",
    examples: ["Rappelle-moi demain.", "N'oublie pas les clés."],
    counterexamples: ["Je me rappelle."],
  },
  {
    kind: "unsure",
    words: "(?:je ne suis|nous ne sommes) pas (?:encore |tout à fait )?(?:sûre?s?|certaine?s?)",
    examples: ["Je ne suis pas sûr de moi."],
    counterexamples: ["C'est sûr."],
  },
];

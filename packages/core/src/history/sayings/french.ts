import type { Saying } from "./saying.ts";

export const french: readonly Saying[] = [
  {
    kind: "decision",
    words: "(?:date limite|échéance|budget) (?:est|reste)",
    examples: ["La date limite est le 24 décembre.", "Le budget reste à 4 000 euros."],
    counterexamples: ["Y a-t-il une date limite ?"],
  },
  {
    kind: "decision",
    words:
      "(?:avons|ai|as|a|ont|avez|été|est|sont|sommes|s'est) (?:\\p{L}+ )?(?:décidée?s?|convenue?s?|choisie?s?|opté|retenue?s?|validée?s?|approuvée?s?|confirmée?s?|mis d'accord)|(?:la|notre) décision (?:est|était)|décision :",
    examples: [
      "Nous avons décidé de garder les sessions dans Redis.",
      "Il a été décidé de ne pas publier le vendredi.",
      "J'ai choisi ES256.",
      "La décision est de livrer lundi.",
    ],
    counterexamples: [
      "Il n'y a aucune décision ici.",
      "Nous n'avons pas encore décidé.",
      "Rien n'a été décidé.",
      "Dès que nous avons décidé, je vous le dis.",
    ],
  },
  {
    kind: "decision",
    words:
      "d'accord (?:pour|avec|sur)|^d'accord|(?:on|nous) (?:prend|prenons|garde|gardons|utilise|utilisons|reste sur|restons sur|part sur|partons sur)|allons-y|c'est convenu|entendu",
    examples: [
      "D'accord, on fait comme ça.",
      "On garde la vieille forme.",
      "Nous restons sur PostgreSQL.",
      "Allons-y avec PyJWT.",
    ],
    counterexamples: ["Je ne suis pas d'accord avec ça.", "On mange bien ici."],
  },
  {
    kind: "decision",
    words: "(?:ne )?(?:doit|doivent|devons|faut) (?:\\p{L}+ )?(?:jamais|toujours|pas)",
    examples: ["Le jeton ne doit jamais être écrit.", "Il faut toujours lancer les tests."],
    counterexamples: ["Il doit pleuvoir demain."],
  },
  {
    kind: "decision",
    words:
      "(?:est|sont|ai|avons|a été) (?:\\p{L}+ )?(?:réservée?s?|payée?s?|commandée?s?|annulée?s?|signée?s?)|^(?:réservé|payé|commandé|annulé)(?=[ :,.!])",
    examples: ["La chambre est réservée.", "J'ai payé le vol.", "Réservé : deux chambres."],
    counterexamples: ["La chambre réservée est petite."],
  },
  {
    kind: "likelyDecision",
    words:
      "(?:nous allons|je vais|on va) (?:utiliser|garder|prendre|passer|choisir|écrire|déployer|livrer|remplacer|ajouter|supprimer|réserver|acheter|déménager|rester|mettre)|(?:nous|on|je) (?:utiliserai|utiliserons|utilisera|garderai|garderons|gardera|prendrai|prendrons|prendra)|préfère|plutôt que",
    examples: [
      "Je vais l'écrire en Go, puis je vais garder les tests.",
      "Nous utiliserons ES256.",
      "Je préfère le train.",
    ],
    counterexamples: ["Je vais bien.", "Nous allons voir."],
  },
  {
    kind: "noDecision",
    words:
      "(?:aucune|pas (?:encore )?(?:de|pris de|une)|sans) (?:\\p{L}+ )?décisions?|(?:pas|jamais|rien|personne|ni)(?: [\\p{L}']+){0,3} (?:décidé|convenu|choisi|opté|retenu|validé|approuvé|confirmé|d'accord)e?s?",
    examples: [
      "Il n'y a aucune décision ici.",
      "Nous n'avons pas encore décidé.",
      "Rien n'a été décidé.",
      "Personne ne l'a approuvé.",
      "Je ne suis pas d'accord avec ça.",
    ],
    counterexamples: ["Nous avons décidé de ne pas utiliser Redis.", "D'accord, rien ne change."],
  },
  {
    kind: "noDecision",
    words:
      "(?:si|dès que|quand|lorsque|avant que|jusqu'à ce que|une fois que) (?:\\p{L}+ ){1,5}(?:décid|choisi|valid|approuv|confirm)\\p{L}*",
    examples: ["Dès que nous avons décidé, je vous le dis.", "Attends jusqu'à ce que Anne ait validé."],
    counterexamples: ["Nous avons décidé quand il était tard."],
  },
  {
    kind: "openPoint",
    words:
      "à (?:décider|clarifier|définir|faire)|pas (?:encore )?(?:sûre?s?|claire?s?|décidée?s?)|reste à|restent à|en suspens|questions? ouvertes?",
    examples: ["La date reste à définir.", "Ce n'est pas encore clair.", "Question ouverte : le nom."],
    counterexamples: ["C'est clair.", "Il reste chez lui."],
  },
  {
    kind: "progress",
    words:
      "terminée?s?|finie?s?|(?<!(?:en|à|au|tout) )faite?s?|ajoutée?s?|corrigée?s?|créée?s?|mis(?:es?)? à jour|implémentée?s?|échou(?:e|ent|é)|fonctionne (?:maintenant|désormais)|prochaine étape|ensuite|maintenant (?:je|nous|on)",
    examples: ["La correction est terminée.", "Deux tests échouent.", "Prochaine étape : le parseur."],
    counterexamples: ["Bonjour à tous.", "En fait, je ne sais pas."],
  },
  {
    kind: "change",
    words: "modifiée?s?|mis(?:es?)? à jour|créée?s?|ajoutée?s?|supprimée?s?|renommée?s?|écrite?s?|corrigée?s?",
    examples: ["J'ai modifié src/login.ts.", "README.md a été créé."],
    counterexamples: ["Voir README.md."],
  },
  {
    kind: "greeting",
    words: "(?:bonjour|bonsoir|salut|merci|coucou|oui|non|bien sûr)",
    examples: ["Bonjour à tous !", "Merci beaucoup."],
    counterexamples: ["Je voudrais annuler mon vol.", "Nonante euros suffisent."],
  },
];

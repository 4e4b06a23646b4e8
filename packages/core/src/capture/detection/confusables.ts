/** Letters of the Cyrillic, Greek and Armenian scripts, each before the Latin letter or digit that it is mistaken for. */
const pairs = `
аa еe оo рp сc хx уy іi ѕs јj ԁd һh ӏl ԛq ԝw ɡg ьb кk мm тt вb нh гr пn
АA ВB ЕE КK МM НH ОO РP СC ТT ХX ІI ЅS ЈJ УY ҮY ԌG ӀI
ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX
οo αa νv ρp ιi κk υu γy χx ηn τt
օo ոn սu հh ց9 յj
ıi ɑa ǀl ∕/ ։: ꞉: ․. ‚, ˗-
`;

/** What detection reads a character as, by the character. */
export const confusables: ReadonlyMap<string, string> = new Map(
  pairs
    .trim()
    .split(/\s+/)
    .map((pair) => {
      const [looks, like = ""] = pair;
      return [looks ?? "", like];
    }),
);

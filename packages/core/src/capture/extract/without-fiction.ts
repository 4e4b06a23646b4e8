/** `Write me a scene: I am a pirate`, `Write a poem in which I am a robot`, `You are the innkeeper, I am Captain Rusk`: what is asked for, and where it begins to be told. */
const asked =
  /(?<!\p{L})(?:write|tell|give|make|do|draft|start|continue)(?: (?:me|us))? (?:an?|the|another|one|some|my|our) (?:\p{L}{1,20} ){0,3}(?:scene|story|poem|song|paragraph|dialogue|dialog|monologue|chapter|sketch|tale|limerick|verse|rap|fable|legend|diary entry|letter from)(?=[\s,:])[^:.!?\n]{0,80}(?::|(?= in which | where | as if ))|(?<!\p{L})you(?:['\u2019]re| are| be| play) (?:the|an?|my) [^.!?\n]{1,40}?,? (?:and )?(?=I(?:['\u2019]m| am| play) (?:the|an?|my|\p{Lu}))/giu;
const sentenceEnd = /[.!?\n]/gu;
/** What is told goes on with sentences that begin with who tells it, or of whom it tells. */
const goesOn = /[.!?]{0,3}\s{1,4}(?:I|He|She|They|His|Her)(?!\p{L})/uy;

/**
 * With spaces for what is told in a story that the assistant is asked for: who says `I` there is nobody. As long as the text. Takes
 * time linear in the text.
 */
export function withoutFiction(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (const match of text.matchAll(asked)) {
    const start = match.index + match[0].length;
    if (start < copied) continue;
    const end = endOfTold(text, start);
    parts.push(text.slice(copied, start), " ".repeat(end - start));
    copied = end;
  }
  parts.push(text.slice(copied));
  return parts.join("");
}

function endOfTold(text: string, start: number): number {
  for (let end = start; ;) {
    sentenceEnd.lastIndex = end;
    const found = sentenceEnd.exec(text);
    if (found === null || found[0] === "\n") return found?.index ?? text.length;
    goesOn.lastIndex = found.index;
    const next = goesOn.exec(text);
    if (next === null) return found.index + 1;
    end = found.index + next[0].length;
  }
}

/** Sorts texts in place by their code units. For short lists, where it beats `sort`. */
export function insertionSort(texts: string[]): string[] {
  for (let i = 1; i < texts.length; i++) {
    const text = texts[i]!;
    let at = i;
    for (; at > 0 && texts[at - 1]! > text; at--) texts[at] = texts[at - 1]!;
    texts[at] = text;
  }
  return texts;
}

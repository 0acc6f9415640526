/**
 * The same text as the name of a property: V8 compares these by identity, finds properties by them
 * faster than by an equal text, and they do not keep a longer text that a text was cut from.
 */
export function internalized(text: string): string {
  return Object.keys({ [text]: 0 })[0]!;
}

/** The words of `.proto` files: names with dots, numbers, texts in quotes, single signs. */
export class ProtoTokens {
  readonly #words: IterableIterator<RegExpExecArray>;

  constructor(text: string) {
    this.#words = text.matchAll(
      /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\.?[A-Za-z_][\w.]*|-?[\d.][\w.]*|\S/g,
    );
  }

  /** The next word; undefined at the end. Comments are passed over. */
  take(): string | undefined {
    for (const [word] of this.#words) if (!word.startsWith('//') && !word.startsWith('/*')) return word;
    return undefined;
  }
}

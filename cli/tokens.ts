/**
 * Splits a command line into flags and positional arguments, as `util.parseArgs` does, which takes
 * a start one millisecond to load.
 */
import type { Flag } from './flags.js';

export type Token =
  | { readonly kind: 'positional'; readonly index: number; readonly value: string }
  | { readonly kind: 'option-terminator'; readonly index: number }
  | {
      readonly kind: 'option';
      /** The index of the argument that has the name. */
      readonly index: number;
      /** The long name; of an unknown flag as it was given. */
      readonly name: string;
      /** With dashes. */
      readonly rawName: string;
      readonly value: string | undefined;
    };

/** @param flags those that are known; others have no value of their own, except behind `=` */
export function tokensOf(argv: readonly string[], flags: readonly Pick<Flag, 'name' | 'short' | 'type'>[]): readonly Token[] {
  const long = new Map(flags.map((flag) => [flag.name, flag]));
  const short = new Map(flags.flatMap((flag) => (flag.short === undefined ? [] : [[flag.short, flag] as const])));
  const tokens: Token[] = [];
  for (let i = 0; i < argv.length; i++) {
    const index = i;
    const text = argv[i]!;
    const add = (rawName: string, name: string, value: string | undefined) => tokens.push({ kind: 'option', index, name, rawName, value });
    /** The next argument, if the flag needs a value. */
    const next = (flag: Pick<Flag, 'type'> | undefined) => (takesValue(flag) && i + 1 < argv.length ? argv[++i] : undefined);
    if (text === '--') {
      tokens.push({ kind: 'option-terminator', index });
      while (++i < argv.length) tokens.push({ kind: 'positional', index: i, value: argv[i]! });
    } else if (text.startsWith('--')) {
      const end = text.indexOf('=', 3);
      const name = text.slice(2, end < 0 ? undefined : end);
      add(`--${name}`, name, end < 0 ? next(long.get(name)) : text.slice(end + 1));
    } else if (text.startsWith('-') && text.length > 1) {
      // Letters of switches may share a dash; one that needs a value takes the rest as its value.
      for (let at = 1; at < text.length; at++) {
        const letter = text[at]!;
        const flag = short.get(letter);
        const rest = text.slice(at + 1);
        const isValue = rest !== '' && takesValue(flag);
        add(`-${letter}`, flag?.name ?? letter, isValue ? rest : next(flag));
        if (isValue) break;
      }
    } else tokens.push({ kind: 'positional', index, value: text });
  }
  return tokens;
}

function takesValue(flag: Pick<Flag, 'type'> | undefined): boolean {
  return flag !== undefined && flag.type !== 'bool';
}

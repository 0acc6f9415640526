/** Splits a command line into options and positional arguments. */
import type { Flag } from './flags.js';

interface Option {
  readonly kind: 'option';
  /** The name of the flag; of an unknown one, as it was written. */
  readonly name: string;
  /** The name with its dashes. */
  readonly rawName: string;
  /** The word that the option is in. */
  readonly index: number;
  /** Undefined for a switch without a value, and where the value is missing. */
  readonly value: string | undefined;
}

interface Positional {
  readonly kind: 'positional';
  readonly value: string;
}

/** Two dashes: what follows is positional. */
interface End {
  readonly kind: 'end';
}

type Token = Option | Positional | End;

/**
 * The tokens of a command line. They are those of `parseArgs` in `node:util`, which takes a
 * millisecond of each start.
 */
export function tokensOf(flags: ReadonlyMap<string, Flag>, argv: readonly string[]): readonly Token[] {
  const tokens: Token[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index]!;
    if (word === '--') {
      tokens.push({ kind: 'end' }, ...argv.slice(index + 1).map((value): Positional => ({ kind: 'positional', value })));
      break;
    }
    const found = word.length > 1 && word.startsWith('-') ? optionsOf(word, index, flags, argv[index + 1]) : undefined;
    if (found === undefined) tokens.push({ kind: 'positional', value: word });
    else {
      tokens.push(...found.options);
      if (found.takesNext) index++;
    }
  }
  return tokens;
}

interface OptionsOfWord {
  readonly options: readonly Option[];
  /** Whether the next word is the value of the last option. */
  readonly takesNext: boolean;
}

function optionsOf(word: string, index: number, flags: ReadonlyMap<string, Flag>, next: string | undefined): OptionsOfWord {
  const takesValue = (name: string) => (flags.get(name)?.type ?? 'bool') !== 'bool';
  if (word.startsWith('--')) {
    const equals = word.indexOf('=', 3);
    const rawName = equals < 0 ? word : word.slice(0, equals);
    const name = rawName.slice(2);
    if (equals >= 0) return { options: [{ kind: 'option', name, rawName, index, value: word.slice(equals + 1) }], takesNext: false };
    const value = takesValue(name) ? next : undefined;
    return { options: [{ kind: 'option', name, rawName, index, value }], takesNext: value !== undefined };
  }
  const options: Option[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at]!;
    const name = longName(letter, flags);
    const isLast = at === word.length - 1;
    // The rest of the word is the value, if the option has one.
    const value = !takesValue(name) ? undefined : isLast ? next : word.slice(at + 1);
    options.push({ kind: 'option', name, rawName: `-${letter}`, index, value });
    if (value !== undefined) return { options, takesNext: isLast };
  }
  return { options, takesNext: false };
}

function longName(letter: string, flags: ReadonlyMap<string, Flag>): string {
  for (const { name, short } of flags.values()) if (short === letter) return name;
  return letter;
}

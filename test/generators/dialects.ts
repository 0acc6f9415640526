/** Versions of the language, and ways to import its keywords. */
import type { Choices } from './choices.js';

/** The version that a text without imports is read as. */
export type RegoVersion = 'v0' | 'v1';

interface Dialect {
  readonly regoVersion: RegoVersion;
  /** Lines with imports of keywords. */
  readonly imports: string;
  /** Which keywords stand in the heads of rules. */
  readonly hasIf: boolean;
  readonly hasContains: boolean;
}

/** @param words the keywords that a policy of version 1 must import */
export function randomDialect(choices: Choices, words: readonly string[]): Dialect {
  const lines = (names: readonly string[]) => names.map((name) => `import ${name}\n`).join('');
  const keywords = (names: readonly string[]) => lines(names.map((name) => `future.keywords.${name}`));
  const isOld = choices.chance(12);
  const pick = choices.below(10);
  if (!isOld) {
    // The import of all words does not change the meaning of `not`, its own import does.
    const all = pick < 3 ? lines(['future.keywords']) : pick < 5 ? lines(['rego.v1']) : pick < 7 ? keywords(['in']) : '';
    return { regoVersion: 'v1', imports: all + keywords(words), hasIf: true, hasContains: true };
  }
  const version = { regoVersion: 'v0', hasIf: true, hasContains: true } as const;
  if (pick < 3) return { ...version, imports: lines(['rego.v1']) + keywords(words) };
  if (pick < 5) return { ...version, imports: lines(['future.keywords']) + keywords(words) };
  const [hasIf, hasContains] = [choices.chance(40), choices.chance(40)];
  const heads = [...(hasIf ? ['if'] : []), ...(hasContains ? ['contains'] : [])];
  return { regoVersion: 'v0', imports: keywords(['in', 'every', ...heads, ...words]), hasIf, hasContains };
}

/** A rule of version 1 in the form of version 0, without the keywords that are not imported. */
export function asVersionZero(text: string, { hasIf, hasContains }: Dialect): string {
  const member = hasContains ? undefined : /^(\w+) contains (.*?) if \{/s.exec(text);
  const head = member ? `${member[1]}[${member[2]}] if {${text.slice(member[0].length)}` : text;
  return hasIf ? head : head.replaceAll(' if {', ' {');
}

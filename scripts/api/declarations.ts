/** Files of declarations, as tsc prints them, taken apart. */

/** A file of declarations: its own names, and those of other files. */
export interface DeclarationFile {
  /** Texts without comments, by name. */
  readonly declared: ReadonlyMap<string, string>;
  /** The local names of imports, with the file and the name there. */
  readonly imported: ReadonlyMap<string, Place>;
  /** The names outside of what it exports, with their places; a file's own ones have its path. */
  readonly exported: ReadonlyMap<string, Place>;
  /** Files of which it exports everything. */
  readonly whole: readonly string[];
}

/** A name in a file. */
export interface Place {
  /** The file as it is imported, or undefined for the file itself. */
  readonly file: string | undefined;
  readonly name: string;
}

const head =
  /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|function|const|let|type|enum|namespace) ([\w$]+)/;
const fromFile = /^(?:import|export) (?:type )?(?:\{([^}]*)\}|\* as ([\w$]+)|([\w$]+))\s*from ['"]([^'"]+)['"]/;

export function readDeclarations(text: string): DeclarationFile {
  const declared = new Map<string, string>();
  const imported = new Map<string, Place>();
  const exported = new Map<string, Place>();
  const whole: string[] = [];
  for (const statement of statementsOf(withoutComments(text))) {
    const all = /^export \* from ['"]([^'"]+)['"]/.exec(statement);
    const from = fromFile.exec(statement);
    const names = /^export \{([^}]*)\};/.exec(statement);
    const [, name] = head.exec(statement) ?? [];
    if (all !== null) whole.push(all[1]!);
    else if (from !== null) {
      const target = statement.startsWith('import') ? imported : exported;
      const [, list, namespace, single, file] = from;
      if (namespace !== undefined) target.set(namespace, { file, name: '*' });
      else if (single !== undefined) target.set(single, { file, name: 'default' });
      else for (const [inside, outside] of pairsOf(list!)) target.set(outside, { file, name: inside });
    } else if (names !== null)
      for (const [inside, outside] of pairsOf(names[1]!)) exported.set(outside, { file: undefined, name: inside });
    else if (statement.startsWith('export default '))
      exported.set('default', { file: undefined, name: statement.slice(15).replace(';', '') });
    else if (name !== undefined) {
      // A function has a statement for each of its forms.
      const plain = statement.replace(/^export /, '').replace(/^declare /, '');
      declared.set(name, declared.has(name) ? `${declared.get(name)}\n${plain}` : plain);
      if (statement.startsWith('export ')) exported.set(name, { file: undefined, name });
    } else throw new Error(`a statement that is not known: ${statement.slice(0, 80)}`);
  }
  return { declared, imported, exported, whole };
}

/** `type A as B, C` → [A, B], [C, C]. */
function pairsOf(list: string): (readonly [inside: string, outside: string])[] {
  const names = list.split(',').map((part) => part.trim().replace(/^type /, ''));
  return names.filter(Boolean).map((part) => {
    const [inside, outside = inside] = part.split(' as ');
    return [inside!, outside!] as const;
  });
}

/** Texts in quotes and templates stay as they are. */
const commentOrText = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

function withoutComments(text: string): string {
  const code = text.replaceAll(commentOrText, (found) => (found.startsWith('/') ? '' : found));
  return code
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

/** A statement begins in the first column with a letter, and the next one ends it. */
function statementsOf(code: string): string[] {
  const statements: string[] = [];
  for (const line of code.split('\n')) {
    if (/^[a-z]/.test(line)) statements.push(line);
    else statements.push(`${statements.pop() ?? ''}\n${line}`);
  }
  return statements.filter((statement) => !/^(?:export \{\};|"use strict")/.test(statement));
}

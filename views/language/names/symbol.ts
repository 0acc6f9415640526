/** Names of policies: what they stand for, and where they are. */

/** A step of a path that is no constant: an element of a collection. */
export const anyKey = '\u0000*';

/** The step from a function to its values. */
export const resultKey = '\u0000()';

/** The root of the paths below a variable whose value is no document with a name. */
export function variableRoot(key: string): string {
  return `\u0000v${key}`;
}

/** Whether a path is below a variable whose value is no document with a name. */
export function isVariableRoot(root: string): boolean {
  return root.startsWith(variableRoot(''));
}

/** The root of the paths below a parameter, which is another one in each body of the function. */
export function parameterRoot(path: readonly string[], index: number): string {
  return `\u0000p${path.join('\u0002')}\u0002${index}`;
}

/** The root of a path for people: a variable has its name, a parameter that of its function. */
export function rootText(root: string): string {
  if (root.startsWith('\u0000v')) return root.slice(root.lastIndexOf('\u0001') + 1);
  if (root.startsWith('\u0000p')) return `${root.slice(2).split('\u0002').slice(0, -1).join('.')}(…)`;
  return root;
}

/** Whether a path begins at `data` or `input`. */
export function isNamed([root]: readonly string[]): boolean {
  return root === 'data' || root === 'input';
}

/** Whether two paths may be of one document: a step of any key is like each key. */
export function areAlike(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && beginsAlike(a, b);
}

/** Whether a path may begin with another one. */
export function beginsAlike(path: readonly string[], start: readonly string[]): boolean {
  return (
    start.length <= path.length && start.every((key, i) => key === path[i] || key === anyKey || path[i] === anyKey)
  );
}

/** The meanings of names. */
type NameKind =
  /** A variable of one rule. */
  | 'local'
  /** A package, a rule, a function, or a document below `data` or `input`. */
  | 'document'
  /** The name that an import gives itself. */
  | 'alias'
  | 'builtin';

/** How a name is used. */
export type NameRole =
  /** The head of a rule. */
  | 'definition'
  /** The package statement of a file. */
  | 'package'
  /** The first steps of the path of a rule or of a package statement. */
  | 'prefix'
  /** The path of an import. */
  | 'import'
  /** A variable gets its value. */
  | 'declaration'
  | 'call'
  | 'read'
  /** The target of a `with`, and the keys of the value in its place. */
  | 'replaced';

/** A place where a name is. */
export interface Occurrence {
  /** Offsets of the name alone: of `["x y"]` those of the text in quotes. */
  readonly start: number;
  readonly end: number;
  readonly kind: NameKind;
  readonly role: NameRole;
  /** A text that all occurrences of one symbol share. */
  readonly key: string;
  /** For documents: the path from `data` or `input`, or from the value of a variable. */
  readonly path?: readonly string[];
  /** The path of the whole ref that the name is in. */
  readonly whole?: readonly string[];
  /** For locals, aliases and built-ins. */
  readonly name?: string;
  /** For locals: the path of the value. */
  readonly value?: readonly string[];
  /** The first name of a ref that stands for the path of an import or a rule of the package. */
  readonly isImplied?: true;
  /** Written in brackets and quotes. */
  readonly isQuoted?: true;
  /** For aliases: the path of the import. */
  readonly target?: readonly string[];
}

/** The key of a document's path. */
export function documentKey(path: readonly string[]): string {
  return `d\u0001${path.join('\u0001')}`;
}

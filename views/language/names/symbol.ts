/** Names of policies: what they stand for, and where they are. */

/** A step of a path that is no constant: an element of a collection. */
export const anyKey = '\u0000*';

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
  /** The path of an import. */
  | 'import'
  /** A variable gets its value. */
  | 'declaration'
  | 'call'
  | 'read'
  /** The target of a `with`. */
  | 'replaced';

/** A place where a name is. */
export interface Occurrence {
  /** Offsets of the name alone: of `["x y"]` those of the text in quotes. */
  readonly start: number;
  readonly end: number;
  readonly kind: NameKind;
  readonly role: NameRole;
  /** The same for all occurrences of what it stands for. */
  readonly key: string;
  /** For documents: the path from `data` or `input`. */
  readonly path?: readonly string[];
  /** For locals, aliases and built-ins. */
  readonly name?: string;
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

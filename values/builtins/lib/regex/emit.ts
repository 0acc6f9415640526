/** Writes a pattern's tree as a RegExp (with the `u` flag) or as an RE2 pattern. */
import type { CharSet } from './charset.js';
import type { RegexNode } from './syntax.js';

type Dialect = 'javascript' | 're2';

export function emitRegex(node: RegexNode, dialect: Dialect): string {
  switch (node.kind) {
    case 'set':
      return emitSet(node.set, dialect);
    case 'concat':
      return node.nodes
        .map((part) => (part.kind === 'alternate' ? `(?:${emitRegex(part, dialect)})` : emitRegex(part, dialect)))
        .join('');
    case 'alternate':
      return node.nodes.map((part) => emitRegex(part, dialect)).join('|');
    case 'group':
      return `(${node.index > 0 ? '' : '?:'}${emitRegex(node.of, dialect)})`;
    case 'repeat':
      return `${emitAtom(node.of, dialect)}${quantifier(node.min, node.max)}${node.lazy ? '?' : ''}`;
    case 'assert':
      return { start: '^', end: dialect === 're2' ? '\\z' : '$', word: '\\b', notWord: '\\B' }[node.what];
  }
}

function emitAtom(node: RegexNode, dialect: Dialect): string {
  const text = emitRegex(node, dialect);
  return node.kind === 'set' || node.kind === 'group' ? text : `(?:${text})`;
}

function quantifier(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function emitSet(set: CharSet, dialect: Dialect): string {
  const [first, ...others] = set;
  if (first === undefined) return dialect === 're2' ? '[^\\x{0}-\\x{10ffff}]' : '[]';
  const [low, high] = first;
  if (others.length === 0 && low === high) return emitCode(low, dialect);
  const ranges = set.map(([from, to]) =>
    from === to ? emitCode(from, dialect) : `${emitCode(from, dialect)}-${emitCode(to, dialect)}`,
  );
  return `[${ranges.join('')}]`;
}

function emitCode(code: number, dialect: Dialect): string {
  const isWord = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
  if (isWord || code === 32 || code === 47 || code === 58)
    return code === 47 && dialect === 'javascript' ? '\\/' : String.fromCharCode(code);
  return `${dialect === 're2' ? '\\x' : '\\u'}{${code.toString(16)}}`;
}

/** Keys of maps by path. */

/** A text that equal paths share and others do not: clients write any character into a segment. */
export function mapKeyOfPath(path: readonly string[]): string {
  const key = path.join('\u0000');
  return path.some((segment) => special.test(segment)) ? path.map(escaped).join('\u0000') : key;
}

/** The path of a key. */
export function pathOfKey(key: string): readonly string[] {
  return key === ''
    ? []
    : key
        .split('\u0000')
        .map((segment) => segment.replace(/\u0001([ab])/g, (_, c) => (c === 'a' ? '\u0000' : '\u0001')));
}

const special = /[\u0000\u0001]/;

function escaped(segment: string): string {
  return segment.replace(/[\u0000\u0001]/g, (c) => (c === '\u0000' ? '\u0001a' : '\u0001b'));
}

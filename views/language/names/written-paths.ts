/** Paths of documents as a text has them, where it may have no tree. */

import { type Import, importName } from '../../../compiler/index.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { anyKey, isNamed } from './symbol.js';

/** The path at the end of a line: names, and what stands in brackets behind them. */
export function pathBefore(line: string): string {
  let start = 0;
  for (const { 0: token, index } of line.matchAll(/\["(?:[^"\\]|\\.)*"\]|\[\w*\]|[\p{L}\w.]+|./gsu))
    if (!/^[\p{L}\w.[\]"]/u.test(token)) start = index + token.length;
  return line.slice(start);
}

/** The steps of a path as it is written, from `data` or `input`; undefined for other roots. */
export function stepsOf(text: string, { module }: PolicyFile): readonly string[] | undefined {
  const [, head = '', rest = ''] = /^(\w+)(.*)$/s.exec(text) ?? [];
  const imported = module?.imports.find((each) => importName(each) === head);
  const path: string[] = imported ? [...importedPath(imported)] : [head];
  if (!isNamed(path)) return undefined;
  for (const [, plain, quoted] of rest.matchAll(/\.(\w+)|\["((?:[^"\\]|\\.)*)"\]|\[[^\]]*\]/g))
    path.push(plain ?? quoted ?? anyKey);
  return path;
}

/** The path of an import. */
export function importedPath({ path: { terms } }: Import): readonly string[] {
  return terms.map((term) => (term.type === 'string' ? term.value : (term as { name: string }).name));
}

/** Completions of expressions where a session stands. */

import { isObject, lookup, objectKeys, type Value } from '../../values/index.js';
import type { DebugProgram } from './debug-program.js';
import type { Completion } from './session.js';

/** More would not be read. */
const most = 200;

/** Only the end of a text is looked at: to search all of it can take the square of its length. */
const longestWord = 1000;

const keywords = ['contains', 'every', 'if', 'in', 'not', 'some', 'with', 'as', 'true', 'false', 'null'];

/** @param column the number of characters before the cursor, and one */
export function completionsOf(
  text: string,
  column: number,
  variables: ReadonlyMap<string, Value | undefined>,
  documents: { readonly input: Value | undefined; readonly data: Value | undefined },
  program: DebugProgram,
): readonly Completion[] {
  const before = text.slice(0, column - 1);
  const [word = ''] = /[A-Za-z_]\w*(?:\.\w*)*$/.exec(before.slice(-longestWord)) ?? [];
  const steps = word.split('.');
  const last = steps.pop() ?? '';
  const start = column - 1 - last.length;
  const found: Completion[] = [];
  const add = (label: string, kind: Completion['kind']) => {
    if (label.startsWith(last) && found.length < most) found.push({ label, kind, start, length: last.length });
  };
  if (steps.length === 0) {
    for (const name of variables.keys()) add(name, 'variable');
    for (const name of ['input', 'data']) add(name, 'variable');
    for (const word of keywords) add(word, 'keyword');
    for (const name of program.builtins.keys()) if (!name.startsWith('internal.')) add(name, 'builtin');
    return found;
  }
  const [head, ...keys] = steps as [string, ...string[]];
  let value = variables.get(head) ?? (head === 'input' || head === 'data' ? documents[head] : undefined);
  for (const key of keys) value = value === undefined ? undefined : lookup(value, key);
  if (value !== undefined && isObject(value))
    for (const key of objectKeys(value)) if (typeof key === 'string') add(key, 'property');
  if (head === 'data') for (const key of rulesBelow(program, keys)) add(key, 'rule');
  if (head !== 'input' && head !== 'data') {
    const prefix = `${steps.join('.')}.`;
    for (const name of program.builtins.keys()) if (name.startsWith(prefix)) add(name.slice(prefix.length), 'builtin');
  }
  return found;
}

/** Names of packages and rules below a path. */
function rulesBelow({ compiled }: DebugProgram, path: readonly string[]): readonly string[] {
  let node = compiled?.ruleTree;
  for (const key of path) node = node?.children.get(`"${key}`);
  return [...(node?.children.values() ?? [])].flatMap(({ key }) => (key.type === 'string' ? [key.value] : []));
}

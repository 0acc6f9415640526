/** The data of policies. */
import type { Module, Term } from '../../compiler/index.js';
import { isObject, type PlainObject, setOwn, type Value } from '../../values/index.js';

/** Data without what rules define: as in the reference, a rule counts before data at its path. */
export function withoutRules(data: PlainObject, modules: readonly Module[]): PlainObject {
  let left = data;
  for (const {
    package: { path },
    rules,
  } of modules)
    for (const { head } of rules) left = without(left, [...keysOf(path.slice(1)), ...keysOf(head.ref)]);
  return left;
}

/** The texts and names at the beginning of a ref. */
function keysOf(terms: readonly Term[]): string[] {
  const keys: string[] = [];
  for (const [i, term] of terms.entries()) {
    if (term.type === 'string') keys.push(term.value);
    else if (term.type === 'var' && i === 0) keys.push(term.name);
    else break;
  }
  return keys;
}

function without(data: PlainObject, [key, ...rest]: readonly string[]): PlainObject {
  if (key === undefined || !Object.hasOwn(data, key)) return data;
  const { [key]: found, ...others } = data;
  if (rest.length === 0) return others;
  if (!isObject(found as Value)) return data;
  const inner = without(found as PlainObject, rest);
  if (inner === found) return data;
  const copy = { ...data };
  setOwn<Value>(copy, key, inner);
  return copy;
}

/** Whether a policy may ask which file it checks (`data.conftest.file`). */
export function mayAskForFile(modules: readonly Module[]): boolean {
  return modules.some(({ source }) => /\bconftest\b/.test(source.text));
}

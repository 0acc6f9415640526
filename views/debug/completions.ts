/** Completions of expressions where a session stands. */

import { exportsOf, importName, isRootName, type Module, packageKey } from '../../compiler/index.js';
import { isObject, lookupPath, objectKeys, type Value } from '../../values/index.js';
import type { DebugProgram } from './debug-program.js';
import type { Completion } from './session.js';

/** The most completions that somebody would read. */
const most = 200;

/** Only the end of a text is looked at: to search all of it can take the square of its length. */
const longestWord = 1000;

const keywords = ['contains', 'every', 'if', 'in', 'not', 'some', 'with', 'as', 'true', 'false', 'null'];

/** The names that an expression sees. */
interface SeenNames {
  readonly variables: ReadonlyMap<string, Value | undefined>;
  readonly input: Value | undefined;
  readonly data: Value | undefined;
  /** The file of its package and imports. */
  readonly file: string | undefined;
}

/** @param column the number of characters before the cursor, and one */
export function completionsOf(
  text: string,
  column: number,
  seen: SeenNames,
  program: DebugProgram,
): readonly Completion[] {
  const { variables, file } = seen;
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
    for (const name of namesIn(moduleOf(program, file), program)) add(name, 'rule');
    for (const word of keywords) add(word, 'keyword');
    for (const name of program.builtins.keys()) if (!name.startsWith('internal.')) add(name, 'builtin');
    return found;
  }
  const [head, ...keys] = imported(steps as [string, ...string[]], moduleOf(program, file));
  const root = variables.get(head) ?? (head === 'input' || head === 'data' ? seen[head] : undefined);
  const value = lookupPath(root, keys);
  if (value !== undefined && isObject(value))
    for (const key of objectKeys(value)) if (typeof key === 'string') add(key, 'property');
  if (head === 'data') for (const key of rulesBelow(program, keys)) add(key, 'rule');
  if (head !== 'input' && head !== 'data') {
    const prefix = `${steps.join('.')}.`;
    for (const name of program.builtins.keys()) if (name.startsWith(prefix)) add(name.slice(prefix.length), 'builtin');
  }
  return found;
}

function moduleOf({ compiled }: DebugProgram, file: string | undefined): Module | undefined {
  for (const { parsed } of compiled?.modules.values() ?? []) if (parsed.source.file === file) return parsed;
  return undefined;
}

/** The names of the imports of a module, and of the rules of its package. */
function namesIn(module: Module | undefined, { compiled }: DebugProgram): ReadonlySet<string> {
  if (module === undefined || compiled === undefined) return new Set();
  const modules = [...compiled.modules.values()].map(({ parsed }) => parsed);
  const rules = exportsOf(modules).get(packageKey(module.package)) ?? [];
  const documents = module.imports.filter(({ path: { terms } }) =>
    isRootName(terms[0].type === 'var' ? terms[0].name : ''),
  );
  return new Set([...documents.map(importName), ...rules]);
}

/** A path whose first step is an import, from its root. */
function imported([head, ...keys]: readonly [string, ...string[]], module: Module | undefined): [string, ...string[]] {
  const found = module?.imports.find((node) => importName(node) === head);
  const path = found?.path.terms.map((term) =>
    'value' in term ? String(term.value) : 'name' in term ? term.name : '',
  );
  return [...(path ?? [head]), ...keys] as [string, ...string[]];
}

/** Names of packages and rules below a path. */
function rulesBelow({ compiled }: DebugProgram, path: readonly string[]): readonly string[] {
  let node = compiled?.ruleTree;
  for (const key of path) node = node?.children.get(`"${key}`);
  return [...(node?.children.values() ?? [])].flatMap(({ key }) => (key.type === 'string' ? [key.value] : []));
}

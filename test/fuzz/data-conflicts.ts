/** Rules in the place of base documents are refused everywhere, and no others. */
import { join } from 'node:path';
import { Engine, PolicyError } from '../../library/index.js';
import { isObject, type PlainObject, type Value } from '../../values/value.js';
import { Choices } from '../generators/choices.js';
import { runCommand, withFiles } from '../harness/command.js';

const names = ['a', 'b', 'c', '0'];
/** Heads of rules by the path that they take. */
const heads: readonly (readonly [path: readonly string[], text: string])[] = [
  [['b'], 'b := 1'],
  [['c'], 'c contains 1'],
  [['c'], 'c(x) := x'],
  [['b', 'c'], 'b.c := 1'],
  [['b'], 'b[x] := 1 if some x in ["c"]'],
  [['a', 'b', 'c'], 'a.b.c contains 1'],
  [['b'], 'b[x].c := 1 if some x in ["c"]'],
];

type Path = readonly string[];

interface Given {
  readonly data: PlainObject;
  readonly package: Path;
  readonly head: readonly [path: Path, text: string];
}

/** Whether there is a document at the path, or something on its way that is no object. */
function isTaken(data: Value, path: Path): boolean {
  let value: Value | undefined = data;
  for (const key of path) {
    if (!isObject(value)) return true;
    value = Object.hasOwn(value, key) ? (value as PlainObject)[key] : undefined;
    if (value === undefined) return false;
  }
  return true;
}

function randomGiven(choices: Choices): Given {
  const value = (depth: number): Value => {
    if (depth === 0 || choices.chance(35)) return choices.one<Value>([1, 'x', null, false, [1], [], {}]);
    return Object.fromEntries(choices.times(choices.below(3), () => [choices.one(names), value(depth - 1)]));
  };
  const data = Object.fromEntries(choices.times(1 + choices.below(2), () => [choices.one(names.slice(0, 2)), value(3)]));
  return {
    data,
    package: [choices.one(['a', 'b']), ...choices.times(choices.below(3), () => choices.one(names))],
    head: choices.one(heads),
  };
}

type Place = (name: string) => string;

const commands: readonly ((at: Place) => readonly string[])[] = [
  (at) => ['eval', '-b', at('src'), 'data'],
  (at) => ['eval', '-d', at('src'), '1 == 1'],
  (at) => ['eval', '--partial', '-d', at('src'), 'data.a == input.x'],
  (at) => ['test', at('src')],
  (at) => ['check', '-b', at('src')],
  (at) => ['bench', '-b', at('src'), '--count', '1', '1 == 1'],
  (at) => ['exec', '-b', at('src'), '--decision', 'q/x', at('in/in.json')],
];

/** Whether each face refuses the policy, by its name. */
async function refusals(
  { data, policy, other }: { readonly data: PlainObject; readonly policy: string; readonly other: string },
  choices: Choices,
): Promise<Map<string, boolean>> {
  const found = new Map<string, boolean>();
  const policies = { 'p.rego': policy, 'q.rego': other };
  const tried = async (name: string, run: () => Promise<unknown>) => found.set(name, await run().then(() => false, isConflict));
  await tried('open', () => Engine.open([{ policies, data }]));
  const withData = await Engine.open([{ policies: { 'q.rego': other }, data }]);
  await tried('a policy set', () => withData.setPolicy('p.rego', policy));
  const withPolicy = await Engine.open([{ policies }]);
  await tried('documents set', () => withPolicy.setData('', data));
  const command = choices.one(commands);
  const files = { 'src/data.json': JSON.stringify(data), 'src/p.rego': policy, 'src/q.rego': other, 'in/in.json': '{}' };
  await withFiles(files, async (directory) => {
    const args = command((name) => join(directory, name));
    const { stdout, stderr } = await runCommand(...args);
    found.set(args.slice(0, 2).join(' '), `${stdout}${stderr}`.includes('conflicting rule for data path'));
  });
  return found;
}

function isConflict(error: unknown): true {
  if (error instanceof PolicyError || (error as Error).message.includes('conflicting rule for data path')) return true;
  throw error;
}

export async function conflictsFailure(seed: number): Promise<{ readonly evaluations: number; readonly text?: string }> {
  const choices = new Choices(seed);
  const { data, package: own, head } = randomGiven(choices);
  const wanted = isTaken(data, [...own, ...head[0]]);
  const [first, ...rest] = own;
  const policy = `package ${first}${rest.map((key) => `["${key}"]`).join('')}\n\n${head[1]}\n`;
  const found = await refusals({ data, policy, other: 'package q\n\nx := 1\n\ntest_x if x == 1\n' }, choices);
  const wrong = [...found].filter(([, isRefused]) => isRefused !== wanted);
  if (wrong.length === 0) return { evaluations: found.size };
  const text = `${wrong.map(([name]) => name).join()}: ${wanted ? 'accepted' : 'refused'}\n--- policy\n${policy}--- data\n${JSON.stringify(data)}`;
  return { evaluations: found.size, text };
}

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseModule } from '../../../compiler/syntax/parse.js';
import { parseQuery } from '../../../compiler/syntax/query.js';
import { Engine } from '../../../engine/engine.js';
import { createContext } from '../../../engine/shared-context.js';
import { testContext } from '../../../test/harness/builtins.js';
import { evaluateQuery } from '../../../test/oracle/evaluate.js';
import { nodeHost } from '../../../values/builtins/host/node.js';
import { builtins } from '../../../values/builtins/registry.js';
import { toJson } from '../../../values/json/json.js';
import type { PlainObject, Value } from '../../../values/value.js';
import type { PolicyVersion } from '../policy-version.js';
import type { ExampleAnswer } from '../report.js';
import { search } from './search.js';
import { shrunk } from './shrink.js';

/** Two versions of a policy, and whether some input is decided otherwise. */
interface Change {
  readonly name: string;
  readonly differs: boolean;
  readonly path: string;
  readonly old: string;
  readonly new: string;
  readonly data?: PlainObject;
  readonly newData?: PlainObject;
  /** A solver finds the difference, and made inputs do not. */
  readonly proofOnly?: boolean;
}

const changesOf = (file: string) =>
  JSON.parse(readFileSync(new URL(`../../../fixtures/${file}.json`, import.meta.url), 'utf8')) as readonly Change[];
const changes = [...changesOf('changes'), ...changesOf('changes-further')];

async function version(name: string, policy: string, data: PlainObject = {}): Promise<PolicyVersion> {
  const engine = new Engine({ context: createContext({ host: nodeHost }), data });
  await engine.commit({ policies: new Map([[`${name}.rego`, policy]]) });
  return { name, engine };
}

/** By bindings and backtracking over the text, with nothing of the compiler. */
function byOracle(policy: string, path: string, input: Value | undefined, data: PlainObject = {}): ExampleAnswer {
  const query = parseQuery(`answer = data.${path.replaceAll('/', '.')}`);
  const context = testContext(nodeHost, { strict: false, timeNs: 0n });
  const found = evaluateQuery([parseModule('p.rego', policy)], query, { input, data, builtins, context });
  if (found.kind === 'error') return { error: 'an error' };
  if (found.kind !== 'solutions') throw new Error(found.kind);
  const [first] = found.solutions as Iterable<PlainObject>;
  return first === undefined ? {} : { value: first.answer! };
}

test.each(changes.map((change) => [change.differs ? 'differs' : 'same', change.name, change] as const))(
  '%s: %s',
  async (_, _name, change) => {
    const { path, data, newData = data, differs } = change;
    const pair = { old: await version('old', change.old, data), new: await version('new', change.new, newData) };
    const { different, groups, tried, undecided } = await search(pair, [path], { tries: 6000 });
    expect({ differs: different > 0, undecided }).toEqual({ differs: differs && !change.proofOnly, undecided: [] });
    expect(tried).toBeGreaterThan(100);
    for (const { example } of groups) {
      const { input } = example;
      const answers = [byOracle(change.old, path, input, data), byOracle(change.new, path, input, newData)];
      const shown = ({ value, error }: ExampleAnswer) =>
        error === undefined ? (value === undefined ? 'undefined' : toJson(value)) : 'an error';
      expect(answers.map(shown)).toEqual([shown(example.old), shown(example.new)]);
      expect(shown(answers[0]!)).not.toBe(shown(answers[1]!));
    }
  },
);

test('inputs are shrunk to what tells the versions apart', async () => {
  const policy = (least: number) => `package p\n\nallow if {\n\tinput.a.b == "x"\n\tinput.c\n\tinput.n >= ${least}\n}\n`;
  const pair = { old: await version('old', policy(3)), new: await version('new', policy(4)) };
  const { groups } = await search(pair, ['p/allow']);
  expect(groups.map(({ kind, example }) => [kind, example.input])).toEqual([['denied', { a: { b: 'x' }, c: true, n: 3 }]]);
});

test('texts are shrunk by whole characters', async () => {
  const begins = async (value: Value | undefined) => typeof value === 'string' && value.startsWith('😀');
  expect(await shrunk('😀xy', begins)).toBe('😀');
  expect(await shrunk(`😀${'xy'.repeat(20)}`, async (value) => (await begins(value)) && String(value).length > 2)).toBe('😀xyxy');
});

test('logged inputs are changed at the places that a version reads', async () => {
  const pair = {
    old: await version('old', 'package p\n\nallow if {\n\tstartswith(lower(input.id), input.prefix)\n\tinput.n == 7\n}\n'),
    new: await version(
      'new',
      'package p\n\nallow if {\n\tstartswith(lower(input.id), input.prefix)\n\tinput.n == 7\n\tinput.extra == "no"\n}\n',
    ),
  };
  const { groups } = await search(pair, ['p/allow'], { inputs: [{ id: 'QQZ-1', prefix: 'qqz', n: 6 }], tries: 300 });
  expect(groups[0]).toMatchObject({ kind: 'denied', example: { input: { n: 7 } } });
});

test('the same seed tries the same inputs', async () => {
  const pair = { old: await version('old', changes[0]!.old), new: await version('new', changes[0]!.new) };
  const once = () => search(pair, ['p/allow'], { tries: 3000, seed: 5 });
  expect(await once()).toEqual(await once());
});

test('built-ins whose answers differ from call to call leave the question open', async () => {
  const pair = {
    old: await version('old', 'package p\n\nallow if rand.intn("x", 3) == input.n\n'),
    new: await version('new', 'package p\n\nallow if rand.intn("x", 4) == input.n\n'),
  };
  const { different, undecided } = await search(pair, ['p/allow'], { tries: 50 });
  expect(different).toBe(0);
  expect(undecided[0]?.reason).toBe('rand.intn is called, and its answer is not recorded');
});

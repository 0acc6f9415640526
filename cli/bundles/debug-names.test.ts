import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { debugInfoOf } from '../../engine/bundle/debug-info-file.js';
import { readBundle } from '../../engine/bundle/disk/file-source.js';
import { Addresses } from '../../ir-schema/address.js';
import { DebugIndex, type IndexedExpression } from '../../ir-schema/debug-index.js';
import type { Policy } from '../../ir-schema/plan.js';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { nodeHost } from '../../values/builtins/host/node.js';

/** The debug information of policies that are built with an entrypoint t/p. */
async function built(rules: string, level: string) {
  return await withFiles({ 'p.rego': `package t\n\n${rules}\n`, 'data.json': '{"known": {"min": 3}}' }, async (dir) => {
    const out = join(dir, 'out.tar.gz');
    const { exit, stderr } = await runCommand(
      ...['build', '-t', 'plan', '-O', level, '-e', 't/p', '--debug-info=sources', '-o', out, join(dir, 'p.rego'), join(dir, 'data.json')],
    );
    expect([exit, stderr]).toEqual([0, '']);
    const [plan] = (await readBundle(out)).plans;
    const info = debugInfoOf(plan!, (bytes) => nodeHost.crypto!.hashHex('sha256', bytes))!;
    const addresses = new Addresses(plan!.policy as Policy);
    const index = new DebugIndex(info, addresses);
    const linesOf = (file: string) => info.sources.find((source) => source.file === file)!.text!.split('\n');
    const textOf = ({ file, range: [row, col, endRow, end] }: IndexedExpression) =>
      row === endRow ? linesOf(file)[row - 1]!.slice(col - 1, end - 1) : linesOf(file)[row - 1]!.slice(col - 1);
    /** The author's names at the last statement of an author's expression. */
    const namesAt = (text: string): ReadonlyMap<string, number> => {
      const found = [...addresses].findLast(({ address }) => {
        const { expression } = index.at(address);
        return expression !== undefined && textOf(expression.origin ?? expression) === text;
      });
      return found === undefined ? new Map() : index.locals(found.address);
    };
    return { info, namesAt };
  });
}

const levels = ['0', '1', '2'];

describe.each(levels)('names of authors with -O %s', (level) => {
  test.each([
    ['elements', 'p contains x.id if {\n\tsome x in input.xs\n\tx.n > data.known.min\n}', 'x.n > data.known.min', ['x']],
    ['keys and elements', 'p contains k if {\n\tsome k, v in input.xs\n\tv > 1\n}', 'v > 1', ['k', 'v']],
    ['keys of refs', 'p contains i if input.xs[i].ok', 'input.xs[i].ok', ['i']],
    ['wildcards that are used twice', 'p if {\n\tx := input.xs[_]\n\tx.a == 1\n\tx.b == 2\n}', 'x.b == 2', ['x']],
    ['parts of refs', 'p if {\n\tu := input.user\n\trole := u.roles[0]\n\trole.name == u.name\n}', 'role.name == u.name', ['role', 'u']],
    ['patterns', 'p if {\n\t[a, b] := input.pair\n\ta < b\n}', 'a < b', ['a', 'b']],
    ['results of calls', 'p if {\n\ts := upper(input.s)\n\tstartswith(s, "A")\n\tcount(s) > 2\n}', 'count(s) > 2', ['s']],
    ['comprehensions', 'p := n if {\n\tn := sum([c |\n\t\tsome x in input.xs\n\t\tc := x.n * 2\n\t])\n}', 'c := x.n * 2', ['x']],
    ['every', 'p if {\n\tevery k, v in input.xs {\n\t\tv.n > k\n\t}\n}', 'v.n > k', ['k', 'v']],
    ['functions', 'p if f(input.a, input.b)\n\nf(x, y) if {\n\tx.n > y.n\n\tx.m > y.m\n}', 'x.m > y.m', ['x', 'y']],
    ['conditions', 'p if {\n\tsome x in input.xs\n\tnot f(x)\n}\n\nf(z) if {\n\tsome y in z.ys\n\ty.n > 3\n}', 'y.n > 3', ['y', 'z']],
    ['else', 'p := f(input)\n\nf(x) := 1 if x.a\n\nelse := n if {\n\tn := x.b.n\n\tn > 3\n}', 'n > 3', ['n', 'x']],
  ])('%s', async (_title, rules, expression, wanted) => {
    const { info, namesAt } = await built(rules, level);
    expect([...namesAt(expression).keys()]).toEqual(expect.arrayContaining(wanted));
    expect(info.names.filter((name) => /^__|^_term|\d_*$/.test(name))).toEqual([]);
  });

  test('variables of one name in several rules', async () => {
    const { namesAt } = await built(
      'p if {\n\tsome x in input.xs\n\tx.a > 1\n\tf(x.b)\n\tx.c > 2\n}\n\nf(y) if {\n\tx := y.n\n\tx.m > 3\n\tx.o > 4\n}',
      level,
    );
    const [before, inside, after] = ['x.a > 1', 'x.o > 4', 'x.c > 2'].map((text) => namesAt(text).get('x'));
    expect(before).toBeDefined();
    expect(inside).toBeDefined();
    if (level === '2') expect(inside).not.toBe(before);
    if (level !== '2') expect(after).toBe(before);
    else expect(after).not.toBe(inside);
  });
});

test.each(levels)('with -O %s a rule comes from the one whose head it has', async (level) => {
  const { info } = await built(
    'p contains "a" if input.a\n\np contains sprintf("b %v", [x]) if x := input.b\n\np contains sprintf("c %v", [input.c])',
    level,
  );
  const heads = info.rules.flatMap(({ source, origin, number }) =>
    info.sources[source]!.generated === true ? [info.rules[origin!]!.number] : level === '0' ? [number] : [],
  );
  expect(heads.toSorted()).toEqual([0, 1, 2]);
});

/** The views of plans agree with each other: all name statements by the same addresses. */
import { describe, expect, test } from 'vitest';
import { verify } from '../../ir-schema/verify/verify.js';
import { everyStatement, fixturePlans } from '../../test/harness/plan-files.js';
import { planFor } from '../../test/harness/plans.js';
import { expandPlan, type ShortBlock } from '../../test/harness/short-plan.js';
import { builtins } from '../../values/builtins/registry.js';
import type { BlockGraph } from './block-graph.js';
import { PlanView } from './plan-view.js';

describe.each(fixturePlans().map(({ note, policy }) => [note, policy] as const))('%s', (_note, policy) => {
  const view = new PlanView(policy);
  const addresses = new Set([...view.addresses].map(({ address }) => address));

  test('the listing has each address once, all other views have addresses of it', () => {
    const listed = view.listing().flatMap(({ statements }) => statements.map(({ address }) => address));
    expect(listed).toEqual([...addresses]);
    const calls = [...view.calls(), ...view.callers()].map(({ at }) => at);
    const strings = view.strings().flatMap(({ uses }) => uses);
    for (const at of [...calls, ...strings]) expect(addresses).toContain(at);
  });

  test('the graph of blocks has each statement once, and ends', () => {
    const graphs = view.blocks();
    expect(graphs.flatMap(({ nodes }) => nodes.flatMap(({ statements }) => statements)).sort()).toEqual([...addresses].sort());
    for (const { nodes } of graphs) {
      expect(nodes.filter(({ statements }) => statements.length === 0).map(({ title }) => title)).toEqual(['end']);
      for (const { edges } of nodes) for (const { to } of edges) expect(nodes[to]).toBeDefined();
    }
  });

  test('the instructions and the JavaScript are those of statements', () => {
    try {
      verify(policy, builtins);
    } catch {
      return;
    }
    const lines = [...view.instructions().flatMap(({ instructions }) => instructions), ...view.script().flatMap(({ lines }) => lines)];
    for (const { at } of lines) if (at !== undefined) expect(addresses).toContain(at);
  });
});

const body = (...blocks: readonly ShortBlock[]) => new PlanView(expandPlan({ plans: { p: blocks }, funcs: {} })).blocks()[0]!;

/** The edges by the statements that the nodes begin with. */
function edgesOf({ nodes }: BlockGraph): string[] {
  const name = (id: number) => nodes[id]!.title.replace(/ .*/, '');
  return nodes.flatMap(({ id, edges }) => edges.map(({ to, kind }) => `${name(id)} ${kind} ${name(to)}`));
}

const may: ShortBlock[number] = ['IsDefined', { source: 0 }];

describe('the ways through blocks', () => {
  test.each<[string, ShortBlock[], string[]]>([
    [
      'a block that is cut short goes on with the next',
      [[may], [may]],
      ['0.0 undefined 1.0', '0.0 next 1.0', '1.0 undefined end', '1.0 next end'],
    ],
    [
      'what is never undefined leads to the next only',
      [[['Nop'], ['MakeNull', { target: 2 }]], [['Nop']]],
      ['0.0 next 1.0', '1.0 next end'],
    ],
    [
      'a scan goes round, and on',
      [[['Scan', { source: 0, key: 2, value: 3, block: [may] }], may]],
      [
        '0.0 undefined end',
        '0.0 inside 0.0.0',
        '0.0 next 0.1',
        '0.0.0 undefined 0.0',
        '0.0.0 loop 0.0',
        '0.1 undefined end',
        '0.1 next end',
      ],
    ],
    [
      'a negation goes on where its block is cut short',
      [[['Not', { block: [may] }], ['Nop']], [may]].map((b) => b as ShortBlock),
      ['0.0 inside 0.0.0', '0.0.0 undefined 0.1', '0.0.0 undefined 1.0', '0.1 next 1.0', '1.0 undefined end', '1.0 next end'],
    ],
    [
      'a break leaves blocks, and what is behind it is not reached',
      [[['Scan', { source: 0, key: 2, value: 3, block: [['Block', { blocks: [[['Break', { index: 2 }], ['Nop']]] }]] }]], [['Nop']]],
      [
        '0.0 undefined 1.0',
        '0.0 inside 0.0.0',
        '0.0 next 1.0',
        '0.0.0 inside 0.0.0.0.0',
        '0.0.0.0.0 break 1.0',
        '0.0.0.0.1 loop 0.0',
        '1.0 next end',
      ],
    ],
    [
      'blocks without statements are passed',
      [[], [['Block', { blocks: [[], [may], []] }]], []],
      ['1.0 inside 1.0.1.0', '1.0.1.0 undefined end', '1.0.1.0 next end'],
    ],
    [
      'a loop without statements',
      [[['Scan', { source: 0, key: 2, value: 3, block: [] }]]],
      ['0.0 undefined end', '0.0 inside 0.0', '0.0 next end'],
    ],
    [
      'a `with` that is cut short cuts its block',
      [[['With', { local: 0, path: [], value: true, block: [may] }], ['Nop']]],
      ['0.0 inside 0.0.0', '0.0.0 undefined end', '0.0.0 next 0.1', '0.1 next end'],
    ],
  ])('%s', (_title, blocks, wanted) => {
    expect(edgesOf(body(...blocks))).toEqual(wanted);
  });
});

test('a dynamic call leads to all functions that its path can be', () => {
  const policy = planFor(
    ['package t\n\np := data.u[input.name].x', 'package u.a\n\nx := input.a', 'package u.b\n\nx := input.b', 'package u.b\n\ny := input.c'],
    'x = data.t.p',
  );
  const view = new PlanView(policy);
  const called = view.calls().filter(({ kind }) => kind === 'dynamic');
  expect(called.map(({ callee }) => callee).sort()).toEqual(['g0.data.u.a.x', 'g0.data.u.b.x']);
  expect(view.callers(view.select(['data.u.b.x'])).map(({ at }) => at)).toEqual([called[0]!.at]);
  const every = new PlanView(everyStatement());
  expect(
    every
      .calls()
      .filter(({ kind }) => kind === 'dynamic')
      .map(({ callee }) => callee),
  ).toContain('g0.data.every.user');
});

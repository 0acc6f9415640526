import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expandPlan } from '../test/harness/short-plan.js';
import { Addresses, splitAddress } from './address.js';
import type { Policy } from './plan.js';
import { loadPlan } from './validate.js';
import { walkStatements } from './walk.js';

function read(path: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures', path), 'utf8'));
}

const every = loadPlan((read('plans/every-statement.json') as { cases: [{ plan: unknown }] }).cases[0].plan);

function addressed(policy: Policy): string[] {
  return [...new Addresses(policy)].map(({ address, stmt }) => `${address} ${stmt.type.replace('Stmt', '')}`);
}

test('an address is the owner, then the numbers of block and statement down the nesting', () => {
  const inner = [['Nop']] as const;
  const policy = expandPlan({
    plans: {
      'authz/allow': [
        [['Nop'], ['Scan', { source: 0, key: 2, value: 3, block: [['Nop'], ['Not', { block: inner }]] }]],
        [['Block', { blocks: [inner, [['Nop'], ['With', { local: 0, path: [], value: true, block: inner }]]] }]],
      ],
    },
    funcs: { 'g0.data.authz.allow': { blocks: [inner] } },
  });
  expect(addressed(policy)).toEqual([
    'authz/allow/0.0 Nop',
    'authz/allow/0.1 Scan',
    'authz/allow/0.1.0 Nop',
    'authz/allow/0.1.1 Not',
    'authz/allow/0.1.1.0 Nop',
    'authz/allow/1.0 Block',
    'authz/allow/1.0.0.0 Nop',
    'authz/allow/1.0.1.0 Nop',
    'authz/allow/1.0.1.1 With',
    'authz/allow/1.0.1.1.0 Nop',
    'g0.data.authz.allow/0.0 Nop',
  ]);
});

test('addresses are in the order of a walk, and lead to their statements and back', () => {
  const addresses = new Addresses(every);
  const walked: string[] = [];
  walkStatements(every, (stmt) => walked.push(addresses.of(stmt)));
  expect([...addresses].map(({ address }) => address)).toEqual(walked);
  for (const found of addresses) {
    expect(addresses.at(found.address)).toBe(found);
    expect(addresses.get(found.index)).toBe(found);
    expect(addresses.inside(found.owner)).toContain(found);
    expect(splitAddress(found.address)).toEqual({ owner: found.owner.name, steps: found.steps });
  }
});

test.each([
  ['a function with the name of a plan', ['main'], ['main'], ['main', 'main#2']],
  ['plans of one name', ['a', 'a', 'a'], [], ['a', 'a#2', 'a#3']],
  ['a name that another would get', ['a', 'a'], ['a#2', 'a'], ['a', 'a#3', 'a#2', 'a#4']],
  ['a name that looks like an address', ['a/0.1', 'a'], [], ['a/0.1', 'a']],
  ['no name', [''], [], ['']],
])('%s has an address of its own', (_title, plans, funcs, wanted) => {
  const stmts = expandPlan({ plans: { p: [[['Nop'], ['Nop']]] } }).plans!.plans![0]!.blocks;
  const policy: Policy = {
    plans: { plans: plans.map((name) => ({ name, blocks: stmts })) },
    funcs: { funcs: funcs.map((name) => ({ name, params: [0, 1], return: 2, blocks: stmts })) },
  };
  const found = [...new Addresses(policy)].map(({ address }) => address);
  expect(found).toEqual(wanted.flatMap((name) => [`${name}/0.0`, `${name}/0.1`]));
  for (const address of found) expect(splitAddress(address)!.steps).toHaveLength(2);
});

test('a statement of another policy has no address', () => {
  const addresses = new Addresses(every);
  expect(() => addresses.of({ type: 'NopStmt', stmt: { file: 0, row: 1, col: 1, end_row: 1, end_col: 1 } })).toThrow('not in this policy');
  expect(addresses.at('main/99.0')).toBeUndefined();
  expect(splitAddress('main')).toBeUndefined();
});

test('walk tells where a statement stands', () => {
  const places: string[] = [];
  walkStatements(every, (stmt, { owner, depth, pointer }) => {
    if (stmt.type === 'CallDynamicStmt') places.push(`${owner.kind} ${depth} ${pointer()}`);
  });
  expect(places).toEqual(['plan 2 /plans/plans/0/blocks/7/stmts/4/stmt/block/stmts/0', 'plan 1 /plans/plans/0/blocks/7/stmts/6']);
});

test('a JSON pointer leads to a statement, or into one', () => {
  const addresses = new Addresses(every);
  walkStatements(every, (stmt, { pointer }) => {
    expect(addresses.atPointer(pointer())?.stmt).toBe(stmt);
    expect(addresses.atPointer(`${pointer()}/stmt/row`)?.stmt).toBe(stmt);
  });
  expect(addresses.ownerAtPointer('/funcs/funcs/0/params')?.kind).toBe('func');
  for (const pointer of ['', '/static', '/plans/plans/99', '/plans/plans/0/name', '/plans/plans/0/blocks/99/stmts/0']) {
    expect(addresses.atPointer(pointer)).toBeUndefined();
  }
});

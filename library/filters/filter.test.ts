import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { emptyBundle } from '../../engine/bundle/bundle.js';
import { Engine, FilterError } from '../index.js';

const policy = `package shop

import data.regions

# METADATA
# compile:
#   unknowns: [input.orders]
#   mask_rule: masks
visible if input.orders.owner == input.user.name

visible if {
	input.user.role == "agent"
	input.orders.region in regions[input.user.name]
	not input.orders.secret == true
}

visible if input.user.role == "root"

masks.orders.card.replace.value := "****" if input.user.role != "root"

mine if {
	input.orders.buyer == input.users.id
	input.users.name == input.user.name
}

column if input.orders[input.column] == "v"

prefix if startswith(input.orders.title, input.prefix)

loop if upper(input.orders.title) == "X"
`;

let engine: Engine;
beforeAll(async () => {
  engine = await Engine.open({ policies: { 'shop.rego': policy }, data: { regions: { ann: ['north', "o'land"] } } });
});
afterAll(() => engine.close());

const agent = { user: { name: 'ann', role: 'agent' } };

describe('SQL', () => {
  it('has the condition as text, with its values, and apart from them', async () => {
    const filter = await engine.filter('shop/visible', { target: 'postgresql', input: agent });
    expect(filter).toEqual({
      rows: 'some',
      where: "(orders.owner = E'ann' OR (orders.region IN (E'north', E'o\\'land') AND NOT orders.secret = TRUE))",
      text: '(orders.owner = $1 OR (orders.region IN ($2, $3) AND NOT orders.secret = TRUE))',
      values: ['ann', 'north', "o'land"],
      fragments: ['(orders.owner = ', ' OR (orders.region IN (', ', ', ') AND NOT orders.secret = TRUE))'],
      masks: { orders: { card: { replace: { value: '****' } } } },
      hints: [],
    });
  });

  it.each([
    ['mysql', '(orders.owner = ? OR (orders.region IN (?, ?) AND NOT orders.secret = TRUE))'],
    ['sqlite', '(orders.owner = ? OR (orders.region IN (?, ?) AND NOT orders.secret = TRUE))'],
    ['sqlserver', '(orders.owner = @p1 OR (orders.region IN (@p2, @p3) AND NOT orders.secret = 1))'],
  ] as const)('of %s', async (target, text) => {
    expect((await engine.filter('shop/visible', { target, input: agent })).text).toBe(text);
  });

  it('can stand behind WHERE where each row is allowed, or none', async () => {
    const all = await engine.filter('shop/visible', { target: 'sqlite', input: { user: { name: 'eve', role: 'root' } } });
    expect(all).toMatchObject({ rows: 'all', where: '1 = 1', text: '1 = 1', values: [] });
    const none = await engine.filter('shop/visible', { target: 'sqlite', input: {} });
    expect(none).toEqual({ rows: 'none', where: '1 = 0', text: '1 = 0', values: [], fragments: ['1 = 0'], hints: [] });
  });

  it('runs in a database', async () => {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE orders (id INTEGER, owner TEXT, region TEXT, secret BOOLEAN)');
    database.exec(
      "INSERT INTO orders VALUES (1, 'ann', 'south', TRUE), (2, 'bob', 'o''land', FALSE), (3, 'bob', 'north', TRUE), (4, 'bob', 'west', FALSE)",
    );
    const { text, values } = await engine.filter('shop/visible', { target: 'sqlite', input: agent });
    const rows = database.prepare(`SELECT id FROM orders WHERE ${text}`).all(...values);
    expect(rows.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('has question marks for libraries that count placeholders', async () => {
    const options = { target: 'postgresql', placeholders: '?', unknowns: ['input.orders'], input: { column: 'really?' } } as const;
    const { text, fragments } = await engine.filter('shop/column', options);
    expect(text).toBe('orders."really\\?" = ?');
    expect(fragments).toEqual(['orders."really?" = ', '']);
    const other = { ...options, input: { column: 'really\\?' } };
    await expect(engine.filter('shop/column', other)).rejects.toThrow('needs the placeholders of the dialect');
  });

  it('maps names, of schemas too', async () => {
    const mappings = { orders: { $self: 'shop.Purchases', owner: 'owned by' } };
    const { text } = await engine.filter('shop/visible', { target: 'postgresql', mappings, input: { user: { name: 'x' } } });
    expect(text).toBe('shop.Purchases."owned by" = $1');
  });
});

describe('UCAST and Prisma', () => {
  it('UCAST is a tree', async () => {
    const filter = await engine.filter('shop/mine', { target: 'ucast+all', unknowns: ['input.orders', 'input.users'], input: agent });
    expect(filter.condition).toEqual({
      type: 'compound',
      operator: 'and',
      value: [
        { type: 'field', operator: 'eq', field: 'orders.buyer', value: { field: 'users.id' } },
        { type: 'field', operator: 'eq', field: 'users.name', value: 'ann' },
      ],
    });
    expect(await engine.filter('shop/visible', { target: 'ucast+all', input: {} })).toEqual({ rows: 'none', hints: [] });
  });

  it('a where object selects rows of a table; other tables are relations', async () => {
    const { where } = await engine.filter('shop/visible', { target: 'prisma', input: agent });
    expect(where).toEqual({
      OR: [{ owner: { equals: 'ann' } }, { AND: [{ region: { in: ['north', "o'land"] } }, { NOT: { secret: { equals: true } } }] }],
    });
    const options = { target: 'prisma', unknowns: ['input.orders'], input: { prefix: 'a' } } as const;
    expect((await engine.filter('shop/prefix', options)).where).toEqual({ title: { startsWith: 'a' } });
    expect((await engine.filter('shop/prefix', { ...options, table: 'users' })).where).toEqual({
      orders: { is: { title: { startsWith: 'a' } } },
    });
    expect((await engine.filter('shop/visible', { target: 'prisma', input: {} })).where).toEqual({ OR: [] });
    expect((await engine.filter('shop/visible', { target: 'prisma', input: { user: { role: 'root' } } })).where).toEqual({});
  });

  it.each(['AND', 'OR', 'NOT'])('the operator %s is no column of Prisma', async (column) => {
    const options = { target: 'prisma', unknowns: ['input.orders'], input: { column } } as const;
    await expect(engine.filter('shop/column', options)).rejects.toThrow(`${column} is an operator of Prisma, not a field`);
  });

  it('a column named __proto__ is a key like others', async () => {
    const options = { target: 'prisma', unknowns: ['input.orders'], input: { column: '__proto__' } } as const;
    expect(Object.keys((await engine.filter('shop/column', options)).where)).toEqual(['__proto__']);
  });
});

/** A bundle with a policy and a plan of some of its rules. */
function planBeside(text: string, plan: ReturnType<typeof compile>, data = {}) {
  const place = (path: string) => ({ path, url: path, bundlePath: path });
  const modules = [{ ...place('/p.rego'), text, bytes: new Uint8Array() }];
  return { ...emptyBundle, data, modules, plans: [{ ...place('/plan.json'), policy: plan }] };
}

it('a plan alone is no filter; the policies beside it are', async () => {
  const text = 'package p\n\nallow if input.t.c == input.v\n\nmasks := {"c": input.v}\n';
  const plan = compile({ policies: { 'p.rego': text }, entrypoints: ['p/allow'] });
  const options = { target: 'mysql', unknowns: ['input.t'], input: { v: 1 }, maskRule: 'masks' } as const;
  await using alone = await Engine.open([plan]);
  await expect(alone.filter('p/allow', options)).rejects.toThrow('data.p.allow is answered by a plan');
  await using beside = await Engine.open([planBeside(text, plan)]);
  expect(await beside.filter('p/allow', options)).toMatchObject({ where: 't.c = 1', masks: { c: 1 } });
});

describe('masks beside a plan', () => {
  const text = `package p

allow if input.t.c == input.v

masks := {"t": {"c": {"replace": {"value": input.v}}}}

by_table[table].c := input.v if some table in ["t", "u"]

names contains "c"

pair := {"a": 1} if input.v == 1
pair := {"a": 2} if input.v == 1

f(x) := x
`;
  const plan = compile({ policies: { 'p.rego': text }, entrypoints: ['p/allow'] });
  const options = { target: 'mysql', unknowns: ['input.t'], input: { v: 1 } } as const;

  it.each([
    ['a rule', 'data.p.masks', { t: { c: { replace: { value: 1 } } } }],
    ['a part of a rule', 'data.p.masks.t.c', { replace: { value: 1 } }],
    ['a key of an object', 'data.p.by_table.u', { c: 1 }],
    ['a document', 'data.hidden', { t: { c: 1 } }],
    ['a part of a document', 'data.hidden.t', { c: 1 }],
  ])('are %s, each time', async (_title, maskRule, masks) => {
    await using beside = await Engine.open([planBeside(text, plan, { hidden: { t: { c: 1 } } })]);
    for (let i = 0; i < 2; i++) expect((await beside.filter('p/allow', { ...options, maskRule })).masks).toEqual(masks);
  });

  it.each([
    ['no object', 'data.p.names', 'the value of the mask rule data.p.names is no object'],
    ['a conflict', 'data.p.pair', 'complete rules must not produce multiple outputs'],
    ['a function', 'data.p.f', 'function data.p.f used as reference, not called'],
  ])('that are %s are an error', async (_title, maskRule, message) => {
    await using beside = await Engine.open([planBeside(text, plan)]);
    await expect(beside.filter('p/allow', { ...options, maskRule })).rejects.toThrow(message);
  });
});

describe('errors', () => {
  it('name the expression that the target cannot have', async () => {
    const problems = await engine.filter('shop/loop', { target: 'mysql', unknowns: ['input.orders'] }).catch((error) => error);
    expect(problems).toBeInstanceOf(FilterError);
    expect(problems.message).toBe('shop.rego:30:9: invalid builtin `upper`');
  });

  it.each([
    [{ target: 'oracle' }, 'there is no target oracle'],
    [{}, 'option target is missing'],
    [{ target: 'mysql', tables: [] }, 'there is no option tables'],
    [{ target: 'mysql', unknowns: 'input' }, 'option unknowns cannot be input'],
    [{ target: 'mysql', unknowns: ['a ('] }, 'option unknowns: '],
    [{ target: 'mysql', maskRule: 'mask' }, 'option maskRule: there is no rule mask for the masks'],
    [{ target: 'mysql', maskRule: 'data.shop.mask' }, 'option maskRule: there is no rule data.shop.mask for the masks'],
    [{ target: 'mysql', maskRule: 'masks[x]' }, 'option maskRule: there is no rule masks[x] for the masks'],
    [{ target: 'mysql', mappings: { orders: { owner: 5 } } }, 'the mapping of orders.owner must be a string'],
  ])('options %j', async (options, message) => {
    await expect(engine.filter('shop/visible', options as never)).rejects.toThrow(message);
  });

  it('an annotation that names no rule for the masks', async () => {
    const text = policy.replace('mask_rule: masks', 'mask_rule: data.shop.mask');
    await using misspelt = await Engine.open({ policies: { 'shop.rego': text }, data: { regions: {} } });
    const problems = await misspelt.filter('shop/visible', { target: 'mysql', input: agent }).catch((error) => error);
    expect(problems).toBeInstanceOf(FilterError);
    expect(problems.message).toBe('there is no rule data.shop.mask for the masks');
  });

  it('masks may be a part of a rule, a package or a document', async () => {
    const data = { regions: {}, hidden: { orders: { card: 1 } } };
    await using other = await Engine.open({ policies: { 'shop.rego': policy, 'm.rego': 'package m.x\n\norders := {"a": 1}' }, data });
    const masksOf = async (maskRule: string) => (await other.filter('shop/visible', { target: 'mysql', input: agent, maskRule })).masks;
    expect(await masksOf('data.shop.masks.orders')).toEqual({ card: { replace: { value: '****' } } });
    expect(await masksOf('data.m.x')).toEqual({ orders: { a: 1 } });
    expect(await masksOf('data.hidden')).toEqual({ orders: { card: 1 } });
  });

  it('a name that is nearly that of a table has a hint', async () => {
    const { rows, hints } = await engine.filter('shop/prefix', { target: 'mysql', unknowns: ['input.order'], input: { prefix: 'a' } });
    expect(rows).toBe('none');
    expect(hints.map(({ message }) => message)).toEqual(['input.orders.title undefined, did you mean input.order.title?']);
  });
});

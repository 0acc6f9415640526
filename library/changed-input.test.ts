/** An input belongs to the caller, who may change it between decisions: nothing of it is kept. */
import { expect, test } from 'vitest';
import { Engine } from './index.js';

const policy = `package a

found := [id | some id, row in data.rows; row.owner == input.user]

groups contains {"name": name, "rows": rows} if {
	some name in [row.owner | some row in data.rows]
	rows := count([row | some row in data.rows; row.owner == name])
}

with_rows := {"found": ids, "groups": count(all)} if {
	ids := found with data.rows as input.rows
	all := groups with data.rows as input.rows
}

names := [name | some name, _ in input.rows]
`;

const modes = ['never', 'warm', 'always'] as const;
const list = () => Array.from({ length: 20 }, (_, i) => ({ owner: `u${i % 5}` }));
const table = () => Object.fromEntries(list().map((row, i) => [`k${i}`, row]));

test.each(modes.flatMap((codegen) => (['array', 'object'] as const).map((kind) => [kind, codegen] as const)))(
  'a changed %s of an input is decided anew, also as a part of data, with codegen %s',
  async (kind, codegen) => {
    const engine = await Engine.open([{ policies: { 'a.rego': policy }, data: { rows: [] } }], { codegen });
    const rows = (kind === 'array' ? list() : table()) as Record<string, { owner: string }>;
    const input = { user: 'u1', rows };
    const decided = () => engine.decide<{ with_rows: { found: unknown[]; groups: number }; names: unknown[] }>('a', input).result;
    for (let i = 0; i < 600; i++) decided();
    expect(decided()).toMatchObject({ with_rows: { found: { length: 4 }, groups: 5 }, names: { length: 20 } });
    rows[kind === 'array' ? '0' : 'k0']!.owner = 'u1';
    expect(decided()).toMatchObject({ with_rows: { found: { length: 5 }, groups: 5 } });
    rows[kind === 'array' ? '2' : 'k2'] = { owner: 'new' };
    expect(decided()).toMatchObject({ with_rows: { found: { length: 5 }, groups: 6 } });
    rows[kind === 'array' ? '20' : 'k20'] = { owner: 'u1' };
    expect(decided()).toMatchObject({ with_rows: { found: { length: 6 }, groups: 6 }, names: { length: 21 } });
    await engine.close();
  },
);

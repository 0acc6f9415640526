import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { effectsOf } from '../effects.js';
import type { Operand, Policy } from '../plan.js';
import { walkStatements } from '../walk.js';
import { statementFields } from './statement-fields.js';

const text = readFileSync(new URL('../../fixtures/plans/every-statement.json', import.meta.url), 'utf8');
const { cases } = JSON.parse(text) as { readonly cases: readonly { readonly plan: Policy }[] };

test('the fields of statements name the locals and strings of their effects', () => {
  const seen = new Set<unknown>();
  for (const { plan } of cases)
    walkStatements(plan, (node) => {
      seen.add(node.type);
      const { reads, writes, strings } = effectsOf(node);
      const named = fieldsOf(node.type, node.stmt as unknown as Readonly<Record<string, unknown>>);
      expect(named.locals).toEqual(new Set([...reads, ...writes]));
      expect(named.strings).toEqual(new Set(strings));
    });
  expect(seen).toEqual(new Set(statementFields.keys()));
});

/** The locals and strings in the fields of a statement. */
function fieldsOf(type: string, stmt: Readonly<Record<string, unknown>>) {
  const locals = new Set<number>();
  const strings = new Set<number>();
  const add = (value: unknown, kind: string): void => {
    if (kind === 'local') locals.add(value as number);
    else if (kind === 'string') strings.add(value as number);
    else if (kind === 'operand') {
      const operand = value as Operand;
      if (operand.type === 'local') locals.add(operand.value);
      if (operand.type === 'string_index') strings.add(operand.value);
    } else if (kind.endsWith('s') && kind !== 'blocks')
      for (const one of (value as readonly unknown[] | null) ?? []) add(one, kind.slice(0, -1));
  };
  for (const [name, kind] of statementFields.get(type) ?? []) add(stmt[name], kind);
  return { locals, strings };
}

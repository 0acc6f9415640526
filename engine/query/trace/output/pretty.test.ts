/** Traces as lines, within limits. */
import { expect, test } from 'vitest';
import type { Term } from '../../../../compiler/ast/nodes.js';
import { nowhere } from '../../../../compiler/source/location.js';
import { compileFor } from '../../../../test/harness/plans.js';
import { allAtOnce } from '../../../../values/steps.js';
import { tracedPathQuery } from '../../../policies/path-queries.js';
import { Frame } from '../../bindings.js';
import { prettyTrace, traceTable } from './pretty.js';
import { type RecordedEvent, Recorder } from './recorder.js';
import { VariableNames } from './variable-names.js';

/** Events of one expression, each with the same large binding. */
function events(count: number, length: number, term: Term): readonly RecordedEvent[] {
  const recorder = new Recorder('full', true);
  const frame = new Frame(undefined, undefined, nowhere);
  frame.values.set('x', 'x'.repeat(length));
  const expr = { type: 'expr', kind: 'term', term, negated: false, with: [], loc: nowhere, generated: false } as const;
  const node = { type: 'expr', expr, index: 0 } as const;
  for (let i = 0; i < count; i++) recorder.trace({ op: 'eval', query: { id: 1, parent: 0 }, node, frame, at: nowhere });
  return recorder.events;
}

const long = (length: number): Term => ({
  type: 'array',
  loc: nowhere,
  items: [{ type: 'string', loc: nowhere, value: 'y'.repeat(length) }],
});

const names = new VariableNames(compileFor('p := 1'), tracedPathQuery(['t', 'p']));

test('lines that are too long in all end with a note', () => {
  const lines = allAtOnce(prettyTrace(events(500, 1, long(1_000_000)), names));
  expect(lines.length).toBeLessThan(150);
  expect(lines[0]).toMatch(/^query:1 +\| Eval \["y+"\]$/);
  expect(lines.at(-1)).toBe(`query:1     | Note "the trace ends after ${lines.length - 1} events"`);
});

test('values that are too long in all end with a note', () => {
  const variable: Term = { type: 'var', loc: nowhere, name: 'x' };
  const rows = traceTable(events(500, 1_000_000, variable), names, { values: true, asWritten: false });
  expect(rows.length).toBeLessThan(150);
  expect(rows[0]).toMatch(/Eval x +{x: "x+"} {2}$/);
  expect(rows.at(-1)).toMatch(new RegExp(`Note "the trace ends after ${rows.length - 1} events" {2}$`));
  expect(traceTable(events(500, 1_000_000, long(1)), names, { values: false, asWritten: false })).toHaveLength(500);
});

import { describe, expect, test } from 'vitest';
import { compile } from '../../../compiler/compile.js';
import { createContext } from '../../../engine/shared-context.js';
import { effectsOf } from '../../../ir-schema/effects.js';
import { blocksOf } from '../../../ir-schema/walk.js';
import { builtins } from '../../../values/builtins/registry.js';
import type { Value } from '../../../values/value.js';
import { ObservedPolicy } from '../../../views/recording/observed-run.js';
import { eventNames } from '../../../views/recording/plan-events.js';
import { recordPlan } from '../../../views/recording/record.js';
import { differencesOf } from './differences.js';
import { op, RecordedEvents } from './recording.js';

const module = `package p

allow if {
	some grant in data.grants[input.user]
	grant.action == input.action
	covers(grant, input.path)
}

covers(grant, path) if startswith(path, grant.prefix)

covers(grant, path) if path in object.get(grant, "paths", [])

names := {name: n | some name, grants in data.grants; n := count(grants)}
`;

const data: Value = {
  grants: {
    ann: [
      { action: 'read', prefix: '/a' },
      { action: 'write', prefix: '/b', paths: ['/a/x'] },
    ],
    bob: [],
  },
};

function recorded(entrypoint: string, input: Value): RecordedEvents {
  const policy = new ObservedPolicy(compile({ policies: { 'p.rego': module }, entrypoints: [entrypoint] }));
  const question = { query: entrypoint, input, data };
  const runs = [{ policy, entrypoint }];
  const limits = { limit: 100_000, size: 1000 };
  const { runs: done } = recordPlan(
    runs,
    question,
    { builtins, context: createContext({ host: {} }), options: { known: new Map() } },
    limits,
  );
  return new RecordedEvents(done[0]!, policy.addresses);
}

const write = { user: 'ann', action: 'write', path: '/a/x' };

describe('the locals at an event', () => {
  test.each([
    ['p/allow', write],
    ['p/allow', { ...write, user: 'eve' }],
    ['p/names', {}],
    ['p', write],
  ] as const)('of %s are what the events since its call stored', (entrypoint, input) => {
    const recording = recorded(entrypoint, input);
    expect(recording.length).toBeGreaterThan(5);
    const policy = new ObservedPolicy(compile({ policies: { 'p.rego': module }, entrypoints: [entrypoint] }));
    // As docs/recordings.md tells it.
    const calls: { readonly locals: Map<number, string>; readonly params: readonly number[] }[] = [];
    for (let at = 0; at < recording.length; at++) {
      const name = eventNames[recording.ops[at]!]!;
      const texts = recording.valuesOf(at);
      if (name === 'call') {
        const { body } = policy.addresses.owners[recording.what[at]!]!;
        calls.push({ locals: new Map(), params: 'params' in body ? (body.params ?? []) : [] });
      }
      const { locals, params } = calls.at(-1)!;
      const { stmt } = policy.addresses.get(recording.what[at]!)!;
      const { writes, mutates } = effectsOf(stmt);
      const stored = name === 'call' ? params.slice(2) : name === 'round' ? writes : name === 'pass' ? [...writes, ...mutates] : [];
      const isOutside = name === 'pass' && (blocksOf(stmt).length > 0 || stmt.type === 'ScanStmt');
      if (!isOutside) for (const [i, local] of stored.entries()) locals.set(local, texts[i] ?? 'undefined');
      if (texts.length === 0 && name === 'call') locals.clear();
      const found = recording.localsAt(at).map(({ local, text }) => [local, text]);
      expect([at, found]).toEqual([at, [...locals].sort(([a], [b]) => a - b)]);
      if (name === 'return') calls.pop();
    }
  });
});

test('of a loop that was left its last round is told', () => {
  const recording = recorded('p/allow', write);
  const loops = new Set([...recording.ops.keys()].filter((at) => recording.ops[at] === op.round).map((at) => recording.what[at]));
  const isLoop = (at: number) => loops.has(recording.what[at]);
  const left = [...recording.ops.keys()].find((at) => recording.ops[at] === op.leave && isLoop(at))!;
  const scan = recording.statementAt(left)!;
  expect(recording.textOf(recording.lastOf(scan, left)!)).toContain('"write"');
  expect(recording.notesAt(left).get(scan)).toContain('"write"');
});

test('a value comes from the statements that gave it, through calls and their arguments, down to the documents', () => {
  const recording = recorded('p/allow', write);
  const last = recording.length - 1;
  const inCovers = [...recording.ops.keys()].find(
    (at) => recording.ops[at] === op.pass && recording.textOf(at) === '"/b"' && recording.depths[at] === 2,
  )!;
  const { local } = recording.localsAt(inCovers).find(({ text }) => text === '"/b"')!;
  const titles = recording.originOf(local, inCovers).map(({ title, text }) => title || text);
  expect(titles).toContain('argument of g0.data.p.covers');
  expect(titles).toEqual(expect.arrayContaining(['input', 'data', '"ann"']));
  expect(recording.stackAt(inCovers)).toHaveLength(3);
  expect(recording.stackAt(last)).toHaveLength(1);
});

test('two runs are alike up to the first event with another statement or value', () => {
  const a = recorded('p/allow', write);
  expect(differencesOf(a, recorded('p/allow', write))).toEqual([]);
  const [value] = differencesOf(a, recorded('p/allow', { ...write, user: 'bob' }));
  expect(value!.kind).toBe('value');
  expect(a.textOf(value!.at)).toBe('"ann"');
  const [way] = differencesOf(a, recorded('p/allow', { user: 'ann', action: 'write' }));
  expect(way!.kind).toBe('way');
});

test('behind another way, differences go on where both runs are together again', () => {
  const [a, b] = [recorded('p/allow', write), recorded('p/allow', { ...write, path: '/a' })];
  const found = differencesOf(a, b);
  expect(found.length).toBeGreaterThan(0);
  const ats = found.map(({ at }) => at);
  expect(ats).toEqual(ats.toSorted((x, y) => x - y));
  for (const { at, otherAt, kind } of found) {
    const isSame = a.ops[at] === b.ops[otherAt] && a.what[at] === b.what[otherAt];
    if (kind === 'value') expect([isSame, a.textOf(at) !== b.textOf(otherAt)]).toEqual([true, true]);
  }
});

test('further rounds of a loop are marked', () => {
  const { again, ops } = recorded('p/allow', write);
  const rounds = [...ops.keys()].filter((at) => ops[at] === op.round);
  expect(rounds.map((at) => again[at])).toEqual([0, 1]);
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomCases } from '../test/harness/set-up/random-cases.js';
import { maxBlockDepth } from './nesting.js';
import { normalizePlan } from './normalize.js';
import type { Policy, Stmt } from './plan.js';
import { PlanError } from './plan-error.js';
import { UnknownMembers } from './unknown-members.js';
import { loadPlan, validatePlan } from './validate.js';
import { walkStatements } from './walk.js';

const fixtures = join(import.meta.dirname, '../fixtures/plans');

function cases<Case>(name: string): Case[] {
  return (JSON.parse(readFileSync(join(fixtures, name), 'utf8')) as { cases: Case[] }).cases;
}

function errorOf(load: () => unknown): PlanError {
  try {
    load();
  } catch (error) {
    if (error instanceof PlanError) return error;
    throw error;
  }
  throw new Error('the plan was accepted');
}

describe('a plan of the form', () => {
  const files = ['allow.json', 'every-statement.json', 'empty.json'];
  test.each(files.flatMap((file) => cases<{ note: string; plan: unknown }>(file)))('is accepted as it is: $note', ({ plan }) => {
    expect(validatePlan(plan)).toBe(plan);
    expect(loadPlan(plan)).toEqual(plan);
  });
});

describe('a plan that is not of the form is refused, with the place and the reason', () => {
  const invalid = cases<{ note: string; plan: unknown; pointer: string; reason: string }>('invalid.json');
  test.each(invalid)('$note', ({ plan, pointer, reason }) => {
    for (const load of [validatePlan, loadPlan]) {
      const error = errorOf(() => load(plan));
      expect(error).toMatchObject({ code: 'invalid_plan', pointer, reason });
      expect(error.message).toBe(`invalid plan: ${pointer ? `${pointer}: ` : ''}${reason}`);
    }
  });

  test('a very long name is cut', () => {
    expect(errorOf(() => loadPlan(nested(0, { type: 'x'.repeat(1e6), stmt: {} }))).message.length).toBeLessThan(300);
  });
});

describe('a plan of an older release is brought into the form', () => {
  test.each(cases<{ note: string; older: unknown; plan: unknown }>('older.json'))('$note', ({ older, plan }) => {
    const before = structuredClone(older);
    expect(loadPlan(older)).toEqual(plan);
    expect(older).toEqual(before);
    expect(normalizePlan(plan)).toEqual(plan);
  });
});

describe('of a plan of another compiler the known members are read', () => {
  test.each(cases<{ note: string; given: unknown; plan: unknown; warnings: readonly string[] }>('other.json'))(
    '$note',
    ({ given, plan, warnings }) => {
      const before = structuredClone(given);
      const unknown = new UnknownMembers();
      expect(validatePlan(loadPlan(given, unknown))).toEqual(plan);
      expect(unknown.warnings().sort()).toEqual([...warnings].sort());
      expect(given).toEqual(before);
      expect(() => validatePlan(given)).toThrow(PlanError);
    },
  );

  test('there are few warnings, and short ones, whatever the plan has', () => {
    const unknown = new UnknownMembers();
    const members = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`${'x'.repeat(10_000)}${i}`, i]));
    loadPlan({ ...members, plans: { plans: [] } }, unknown);
    const warnings = unknown.warnings();
    expect(warnings).toHaveLength(21);
    expect(Math.max(...warnings.map((warning) => warning.length))).toBeLessThan(500);
    expect(warnings.at(-1)).toBe('980 more members are not known and are ignored');
  });
});

const position = { file: 0, row: 1, col: 1, end_row: 1, end_col: 1 };

/** A statement inside so many Not statements. */
function nested(depth: number, innermost: unknown): unknown {
  let block: unknown = { stmts: [innermost] };
  for (let i = 0; i < depth; i++) {
    const stmt = i % 2 === 0 ? { ...position, block } : { ...position, blocks: [{ stmts: [] }, block] };
    block = { stmts: [{ type: i % 2 === 0 ? 'NotStmt' : 'BlockStmt', stmt }] };
  }
  return { plans: { plans: [{ name: 'a', blocks: [block] }] } };
}

describe('depth', () => {
  test('blocks may be nested up to the bound', () => {
    const plan = nested(maxBlockDepth - 1, { type: 'NopStmt', stmt: position });
    const loaded = loadPlan(plan);
    expect(JSON.stringify(loaded)).toBe(JSON.stringify(plan));
    const depths: number[] = [];
    walkStatements(loaded, (_stmt, place) => depths.push(place.depth));
    expect(Math.max(...depths)).toBe(maxBlockDepth);
  });

  test.each([maxBlockDepth, 50_000])('%i blocks inside another are refused', (depth) => {
    for (const load of [loadPlan, validatePlan]) {
      expect(errorOf(() => load(nested(depth, { type: 'NopStmt', stmt: position }))).reason).toBe(
        `blocks are nested more than ${maxBlockDepth} levels deep`,
      );
    }
  });

  // The validator works in pieces below some depth, and each piece has edges.
  test.each([98, 99, 100, 101, 102, 199, 200, 201, 202, 450])('a fault %i levels down is found, with its whole pointer', (depth) => {
    const fault = { type: 'MakeSetStmt', stmt: { ...position, target: 'x' } };
    const plan = nested(depth, fault);
    const { pointer, reason } = errorOf(() => loadPlan(plan));
    expect(reason).toBe('must be integer');
    expect(at(plan, pointer)).toBe('x');
  });

  test('a fault in a block whose statements hold none of the others is found', () => {
    for (const fault of [{ stmts: {} }, {}, [], 5]) {
      for (const depth of [50, 98, 99, 100, 101, 102, 103]) {
        const plan = nested(depth, { type: 'NotStmt', stmt: { ...position, block: fault } });
        const error = errorOf(() => loadPlan(plan));
        expect(error.reason).toMatch(/must be|missing/);
        const value = at(plan, error.pointer);
        expect([fault, (fault as { stmts?: unknown }).stmts]).toContain(value);
      }
    }
  });
});

/** The value at a JSON pointer. */
function at(document: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce((value, step) => (value as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

test('a hundred thousand statements in one block load', () => {
  const stmts = Array.from({ length: 100_000 }, () => ({ type: 'NopStmt', stmt: { file: 0, row: 1, col: 1 } }));
  expect(loadPlan({ plans: { plans: [{ name: 'a', blocks: [{ stmts }] }] } }).plans!.plans![0]!.blocks![0]!.stmts).toHaveLength(100_000);
});

test('any JSON document is accepted or refused with a PlanError', () => {
  const key = fc.constantFrom(
    'plans',
    'funcs',
    'static',
    'blocks',
    'stmts',
    'stmt',
    'type',
    'block',
    'NotStmt',
    '__proto__',
    'constructor',
    'length',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      fc.constantFrom(null, 0, 'NotStmt', true),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => JSON.parse(objectText(entries)) as unknown),
  }));
  fc.assert(
    fc.property(value, (document) => {
      try {
        loadPlan(document);
      } catch (error) {
        expect(error).toBeInstanceOf(PlanError);
      }
    }),
    { numRuns: randomCases(300) },
  );
});

/** Through text, so that `__proto__` becomes a plain key, as in a document that was read. */
function objectText(entries: readonly (readonly [string, unknown])[]): string {
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;
}

test('a valid plan with one member taken away, added or exchanged: only a position may be missing', () => {
  const [{ plan }] = cases<{ plan: Policy }>('every-statement.json') as [{ plan: Policy }];
  const stmts: Stmt[] = [];
  walkStatements(plan, (stmt) => stmts.push(stmt));
  for (const [i, { type, stmt }] of stmts.entries()) {
    for (const key of Object.keys(stmt)) {
      // Older releases leave this field out.
      if (key === 'Index' || key === 'index') continue;
      const copy = structuredClone(plan);
      const copies: { stmt: Record<string, unknown> }[] = [];
      walkStatements(copy, (other) => copies.push(other as unknown as { stmt: Record<string, unknown> }));
      const changed = copies[i]!.stmt;
      delete changed[key];
      if (key in position) validatePlan(loadPlan(copy));
      else expect(errorOf(() => loadPlan(copy)).reason, `${type} without ${key}`).toBe(`property "${key}" is missing`);
      changed[key] = { surprise: true };
      expect(() => loadPlan(copy), `${type} with another ${key}`).toThrow(PlanError);
      changed[key] = stmt[key as keyof typeof stmt];
      changed.surprise = true;
      expect(loadPlan(copy), `${type} with a surprise`).toEqual(plan);
    }
  }
});

const shared = join(process.env.WRIT_CONFORMANCE ?? join(import.meta.dirname, '../../shared/conformance'), 'plans');

test.skipIf(!existsSync(shared))('every plan of the conformance cases loads and satisfies the schema', () => {
  const files = readdirSync(shared, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  let loaded = 0;
  for (const file of files) {
    const document = JSON.parse(readFileSync(join(shared, file), 'utf8')) as { cases: { plan: unknown }[] };
    for (const { plan } of document.cases) {
      validatePlan(loadPlan(plan));
      loaded++;
    }
  }
  expect(loaded).toBeGreaterThanOrEqual(files.length);
});

if (!existsSync(shared)) console.warn(`no conformance cases at ${shared} (WRIT_CONFORMANCE): their plans are not loaded`);

import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callBuiltin, fromFixture, testContext, toFixture } from '../../test/harness/builtins.js';
import { equal } from '../equal.js';
import { parseJson, toJson } from '../json/json.js';
import type { Value } from '../value.js';
import { BuiltinError, HaltError } from './builtin-errors.js';
import { nodeHost } from './host/node.js';
import { builtins } from './registry.js';

interface Row {
  readonly note: string;
  readonly builtin: string;
  readonly operands: readonly Value[];
  readonly result?: Value;
  readonly error?: string;
  readonly undefined?: boolean;
}

const folder = new URL('../../fixtures/builtins/', import.meta.url);
const families = readdirSync(folder).filter((file) => file.endsWith('.json'));
const rowsOf = (file: string) => parseJson(readFileSync(new URL(file, folder), 'utf8')) as unknown as readonly Row[];

describe.each(families.map((file) => basename(file, '.json')))('%s', (family) => {
  test.each(rowsOf(`${family}.json`).map((row) => [`${row.builtin}: ${row.note}`, row] as const))('%s', async (_title, row) => {
    const operands = row.operands.map(fromFixture);
    let answer: Value | undefined;
    try {
      answer = await callBuiltin(row.builtin, operands, testContext(nodeHost));
    } catch (error) {
      if (!(error instanceof BuiltinError) && !(error instanceof HaltError)) throw error;
      if (row.error === undefined) throw error;
      expect(`${error.code}: ${row.builtin}: ${error.message}`).toContain(row.error);
      return;
    }
    if (row.undefined === true) expect(answer).toBeUndefined();
    else {
      expect(row.error, `answered ${answer === undefined ? 'undefined' : toJson(answer)}`).toBeUndefined();
      const wanted = fromFixture(row.result!);
      // Compared as text of fixtures only to show what differs: the language's equality decides.
      if (answer === undefined || !equal(answer, wanted)) expect(answer && toJson(toFixture(answer))).toBe(toJson(toFixture(wanted)));
    }
  });
});

test('every built-in has fixtures of its own', () => {
  const covered = new Set(families.flatMap((file) => rowsOf(file).map((row) => row.builtin)));
  expect([...builtins.keys()].filter((name) => !covered.has(name))).toEqual([]);
});

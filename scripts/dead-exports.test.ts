import { expect, test } from 'vitest';
import { deadExports } from './dead-exports.js';

function dead(files: Record<string, string>): string[] {
  return deadExports(new Map(Object.entries(files)));
}

test.each([
  ['a function', 'export function a(): void {}'],
  ['an async function', 'export async function a(): Promise<void> {}'],
  ['a generator', 'export function* a(): Generator {}'],
  ['a constant', 'export const a = 1;'],
  ['a class', 'export class a {}'],
  ['an abstract class', 'export abstract class a {}'],
  ['an interface', 'export interface a {}'],
  ['a type', 'export type a = string;'],
  ['a name of a list', "const b = 1;\nexport { b as a };\nimport './c.js';"],
])('%s that no file imports is reported', (_title, text) => {
  const files = { 'compiler/a.ts': text, 'compiler/c.ts': 'const a = 1;' };
  expect(dead(files)).toEqual(['compiler/a.ts exports a, which no file imports']);
});

test.each([
  ['by name', "import { a } from './a.js';"],
  ['as a type', "import type { a } from './a.js';"],
  ['under another name', "import { a as b } from './a.js';"],
  ['through its module', "import * as all from './a.js';\nall.a();"],
  ['on demand', "  const { a } = await import('./a.js');"],
  ['to pass it on', "export type { a } from './a.js';"],
])('an export that is imported %s lives', (_title, text) => {
  const complaints = dead({ 'compiler/a.ts': 'export const a = 1;', 'compiler/b.ts': text });
  expect(complaints.filter((complaint) => complaint.startsWith('compiler/a.ts'))).toEqual([]);
});

test('the doors of the library are for others', () => {
  expect(dead({ 'library/index.ts': "export { a } from '../engine/a.js';", 'engine/a.ts': 'export const a = 1;' })).toEqual([]);
});

test('declarations in a template text are no exports', () => {
  expect(dead({ 'scripts/a.ts': 'const text = `\nexport const a = 1;\n`;' })).toEqual([]);
});

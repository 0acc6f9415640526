import { expect, test } from 'vitest';
import { checkSizes } from './sizes.js';

const check = (files: Record<string, string>): string[] => checkSizes(new Map(Object.entries(files)));
const body = (lines: number, indent: string) => `${indent}  f();\n`.repeat(lines);

test.each([
  ['a function', `export function a(): void {\n${body(100, '')}}\n`],
  ['an arrow function', `const a = (b: number): void => {\n${body(100, '')}};\n`],
  ['a method', `class A {\n  #a(): void {\n${body(100, '  ')}  }\n}\n`],
])('%s with too many lines is reported', (_title, text) => {
  expect(check({ 'a/b.ts': text })).toEqual([expect.stringMatching(/^a\/b\.ts:[12]: a function of 102 lines$/)]);
});

test('a function of 100 lines is not', () => {
  expect(check({ 'a/b.ts': `function a(): void {\n${body(98, '')}}\n\nfunction b(): void {\n${body(98, '')}}\n` })).toEqual([]);
});

test('a folder with too many files is reported', () => {
  const files = Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`a/${i}.ts`, '']));
  expect(check(files)).toEqual(['a has 26 files: more than 25 want a folder inside']);
  expect(check({ ...files, 'a/25.ts': '', 'a/b/1.ts': '' })).toHaveLength(1);
});

test('a comment with a line that is too long is reported, code is not', () => {
  const long = 'x'.repeat(120);
  expect(check({ 'a/b.ts': `// ${long}\n/** ${long} */\n * ${long}\nconst a = '${long}';\n` })).toHaveLength(3);
  expect(check({ 'a/b.ts': `// https://example.com/${long}\n` })).toEqual([]);
});

test('a variable of a module without a reason is reported, tests and scripts may have them', () => {
  const text = 'let a = 0;\n\n/** Why. */\nlet b = 0;\nlet c: string | undefined;\n\nconst code = `\nlet x;`;\n';
  expect(check({ 'a/b.ts': text })).toEqual(['a/b.ts:1: a variable of a module without a reason above it']);
  expect(check({ 'a/b.test.ts': text, 'bench/b.ts': text, 'test/a/b.ts': text })).toEqual([]);
});

test('too many variables of modules are reported, with reasons too', () => {
  expect(check({ 'a/b.ts': '// Why.\nlet a = 0;\n'.repeat(40) })).toEqual([
    expect.stringMatching(/^40 variables of modules: more than \d+$/),
  ]);
});

test('too many comments that open without a noun are reported', () => {
  const found = (one: string) => check({ 'a/b.ts': `${one}\n`.repeat(400) });
  const complaint = expect.stringMatching(/^400 comments open without a noun \("What", "So many", "That"\): more than \d+$/);
  for (const one of [
    '/** What it reads. */',
    '/**\n * Those that wait.\n */',
    '// So many wait.',
    '  /** Told how. */',
    '/** The same for rules. */',
    '/** Of the input. */',
    '// By name.',
    '/** More are not told. */',
  ]) {
    expect(found(one)).toEqual([complaint]);
  }
  for (const one of ['/** The documents that it reads. */', '/** The same rule twice. */', '// So it waits.', "const a = 'What it reads';"])
    expect(found(one)).toEqual([]);
  expect(check({ 'test/b.ts': '/** What it reads. */\n'.repeat(400) })).toEqual([]);
});

test('too many names that several files export are reported', () => {
  const files = (other: number) =>
    check(
      Object.fromEntries(
        ['a', 'b'].map((name, i) => [
          `${name}/c.ts`,
          Array.from({ length: 300 }, (_, n) => `export const n${n + i * other} = 1;\n`).join(''),
        ]),
      ),
    );
  expect(files(0)).toEqual([expect.stringMatching(/^300 names are exported by several files: more than \d+$/)]);
  expect(files(300)).toEqual([]);
  const text = 'export function a(): void {}\nexport function a(b: string): void {}\n'.repeat(400);
  expect(check({ 'a/b.ts': text, 'test/a.ts': text })).toEqual([]);
});

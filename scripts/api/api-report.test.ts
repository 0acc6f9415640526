import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundleDeclarations } from '../build/types/bundle-declarations.js';
import { apiReport } from './api-report.js';
import { reports, reportsFolder } from './reports.js';

const root = join(import.meta.dirname, '../..');

test('docs/api/ has the declarations of the package: npm run api writes them', () => {
  const folder = join(root, reportsFolder);
  const kept = existsSync(folder) ? readdirSync(folder) : [];
  const found = reports(root);
  expect(kept.sort()).toEqual([...found.keys()].sort());
  for (const [name, text] of found) expect(readFileSync(join(folder, name), 'utf8'), name).toBe(text);
});

/** The report of an entry, of whose declarations none is shared. */
function report(files: Readonly<Record<string, string>>): string {
  const [bundle] = bundleDeclarations({ 'types/index': 'index.ts' }, new Map(Object.entries(files)));
  return apiReport(String(bundle!.contents));
}

describe('a report', () => {
  test('has what an entry exports, under the names of both', () => {
    const text = report({
      'index.d.ts': "export { a as b, type C } from './a.js';\nexport * from './more.js';\ndeclare const x: number;\nexport default x;\n",
      'a.d.ts': 'export declare function a(n: number): string;\nexport interface C {\n    readonly n: number;\n}\nexport type Left = 1;\n',
      'more.d.ts': 'export declare class D<T> {\n    #private;\n    constructor(t: T);\n}\n',
    });
    expect(text).toBe(`export {
    D,
    a as b,
    type C,
    x as default
};
declare function a(n: number): string;
interface C {
    readonly n: number;
}
declare const x: number;
declare class D<T> {
    #private;
    constructor(t: T);
}
`);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['by its name', { 'index.d.ts': "import type { T } from './t.js';\nexport declare const a: T;\n" }],
    ['under another name', { 'index.d.ts': "import { type T as U } from './t.js';\nexport declare const a: U[];\n" }],
    [
      'through a further file',
      { 'index.d.ts': "import { T } from './u.js';\nexport type A = T;\n", 'u.d.ts': "export * from './t.js';\n" },
    ],
    ['of a file as a whole', { 'index.d.ts': "export * as types from './t.js';\n" }],
    ['inside of a type', { 'index.d.ts': "export declare const a: import('./t.js').T;\n" }],
    ['through another declaration', { 'index.d.ts': "import { T } from './t.js';\ninterface I extends T {\n}\nexport type A = I;\n" }],
  ])('has a declaration that is used %s', (_title, files) => {
    expect(report({ ...files, 't.d.ts': "export interface T {\n    readonly member: 'x';\n}\n" })).toContain("    readonly member: 'x';");
  });

  test('has each form of a function, and no comments', () => {
    const text = report({
      'index.d.ts':
        '/** Of\n * a. */\nexport declare function a(x: 1): 1; // one\nexport declare function a(x: 2): 2;\nexport declare const url: "http://a/*b*/";\n',
    });
    expect(text).toContain('declare function a(x: 1): 1;\ndeclare function a(x: 2): 2;\ndeclare const url: "http://a/*b*/";');
    expect(text).not.toContain('Of');
  });

  test('changes with a member, and not with a comment or with what nobody sees', () => {
    const of = (member: string, comment: string, hidden: string) =>
      report({ 'index.d.ts': `${comment}\nexport interface A {\n    ${member};\n}\ninterface Hidden {\n    ${hidden};\n}\n` });
    const text = of('a: 1', '/** One. */', 'x: 1');
    expect(of('a: 1', '/** Two. */', 'x: 2')).toBe(text);
    expect(of('a: 2', '/** One. */', 'x: 1')).not.toBe(text);
    expect(of('a?: 1', '/** One. */', 'x: 1')).not.toBe(text);
  });

  test('of a name that is not there is an error', () => {
    expect(() => report({ 'index.d.ts': "export { A } from './a.js';\n", 'a.d.ts': 'export type B = 1;\n' })).toThrow(
      'a.d.ts does not have A',
    );
  });
});

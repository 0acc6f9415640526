import { expect, test } from 'vitest';
import { bundleDeclarations } from './bundle-declarations.js';

function bundled(entries: Readonly<Record<string, string>>, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const found = bundleDeclarations(entries, new Map(Object.entries(files)));
  return Object.fromEntries(found.map(({ path, contents }) => [path, String(contents)]));
}

test('declarations that several entries need are in a file that these share', () => {
  const entry = (name: string) =>
    `import type { Shared } from './shared.js';\nexport { Shared as S } from './shared.js';\nexport declare const ${name}: Shared;\n`;
  const files = { 'a.d.ts': entry('a'), 'b.d.ts': entry('b'), 'shared.d.ts': '/** One. */\nexport declare class Shared {\n    #own;\n}\n' };
  expect(bundled({ 'types/a': 'a.ts', 'browser/b': 'b.tsx' }, files)).toEqual({
    'types/a.d.ts': `import { Shared } from './shared/1.js';
export { Shared as S } from './shared/1.js';
export { a };
declare const a: Shared;
`,
    'browser/b.d.ts': `import { Shared } from '../types/shared/1.js';
export { Shared as S } from '../types/shared/1.js';
export { b };
declare const b: Shared;
`,
    'types/shared/1.d.ts': 'export { Shared };\n/** One. */\ndeclare class Shared {\n    #own;\n}\n',
  });
});

test('names that several declarations have, or the language, stay apart', () => {
  const files = {
    'a.d.ts': `import { Place as Other } from './b.js';
export interface Place extends Other {
    readonly Place: Map<Other, import('./c.js').Map['Place']>;
}
`,
    'b.d.ts': 'export interface Place {\n    readonly place: Place;\n}\n',
    'c.d.ts': 'export interface Map {\n    readonly Place: typeof place;\n}\ndeclare const place: unique symbol;\n',
  };
  expect(bundled({ 'types/a': 'a.ts' }, files)).toEqual({
    'types/a.d.ts': `export { Place };
interface Place extends Place$1 {
    readonly Place: Map<Place$1, Map$1['Place']>;
}
interface Place$1 {
    readonly place: Place$1;
}
interface Map$1 {
    readonly Place: typeof place;
}
declare const place: unique symbol;
`,
  });
});

test('names change only where two of them are in one file, and then those that users do not import', () => {
  const files = {
    'a.d.ts': "import type { Rule as Inner } from './c.js';\nexport * as kinds from './b.js';\nexport declare const a: Inner;\n",
    'b.d.ts': "import type { Type as Known } from './d.js';\nexport interface Type extends Known {\n}\n",
    'c.d.ts': 'export interface Rule {\n}\n',
    'd.d.ts': 'export interface Type {\n}\n',
    'e.d.ts': 'export interface Rule {\n    readonly e: Map;\n}\ninterface Map {\n}\n',
  };
  const found = bundled({ 'types/a': 'a.ts', 'types/e': 'e.ts', 'types/f': 'e.ts' }, files);
  expect(found['types/a.d.ts']).toContain('interface Rule {\n}\n');
  expect(found['types/a.d.ts']).toContain('interface Type extends Type$1 {\n}\n');
  expect(found['types/kinds.d.ts']).toContain("export { Type } from './a.js';");
  expect(found['types/shared/1.d.ts']).toContain('interface Rule {\n    readonly e: Map;\n}\ninterface Map {\n}\n');
});

test('types of a package that users need not have are an error', () => {
  const of = (name: string) =>
    bundled({ 'types/a': 'a.ts' }, { 'a.d.ts': `import type { B } from '${name}';\nexport declare const a: B;\n` });
  expect(of('hono')['types/a.d.ts']).toContain("import { type B } from 'hono';");
  expect(() => of('esbuild')).toThrow("types/a needs the types of 'esbuild', which the package does not bring");
});

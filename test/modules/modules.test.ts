import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory, writeFiles } from '../harness/disk.js';
import { compile } from './compile.mjs';
import { withImporter } from './runner.mjs';

test('sources keep their lines and columns without types', () => {
  expect(compile('values/a.ts', 'const a: number = 1;\nexport { a };\n')).toBe('const a         = 1;\nexport { a };\n');
});

test('pages have a map to their lines', () => {
  const code = compile('cli/web/a.tsx', 'interface A {\n  b: number;\n}\n\nexport const a = ({ b }: A) => <p>{b}</p>;\n');
  const map = /^\/\/# sourceMappingURL=data:application\/json;base64,(.*)$/m.exec(code)![1]!;
  expect(JSON.parse(Buffer.from(map, 'base64').toString())).toMatchObject({ sources: ['a.tsx'], mappings: expect.stringMatching(/./) });
});

test.each([
  ['a source', 'values/a.ts', 'const a = 1;\nconst b = ;\n', 'values/a.ts:2: Expression expected'],
  ['a page', 'cli/web/a.tsx', 'const a = 1;\nconst b = <p;\n', /^cli\/web\/a\.tsx: .*a\.tsx:2:/s],
])('an error of the syntax of %s names file and line', (_title, path, text, message) => {
  expect(() => compile(path, text)).toThrow(message);
});

test('an import of a name that a module does not have is told with its file and line', async () => {
  const directory = temporaryDirectory();
  writeFiles(directory, { 'a b.mjs': "\nimport { nothing } from './c.mjs';\n", 'c.mjs': 'export {};\n' });
  const path = join(directory, 'a b.mjs');
  const error = await import(pathToFileURL(path).href).catch(withImporter);
  expect(String(error)).toBe(`SyntaxError: ${path}:2: The requested module './c.mjs' does not provide an export named 'nothing'`);
});

test('a module that declares a name twice is told with its file', async () => {
  const directory = temporaryDirectory();
  writeFiles(directory, { 'a.mjs': "import './b.mjs';\n", 'b.mjs': 'let a;\nlet a;\n' });
  const error = await import(pathToFileURL(join(directory, 'a.mjs')).href).catch(withImporter);
  expect(String(error)).toBe(`SyntaxError: ${join(directory, 'b.mjs')}: Identifier 'a' has already been declared`);
});

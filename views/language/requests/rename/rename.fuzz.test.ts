/** Names of real policies get other names: they compile as before, and the way back is exact. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Position, WorkspaceEdit } from 'vscode-languageserver-types';
import { compileModules } from '../../../../compiler/pipeline.js';
import { BuiltinTable } from '../../../../compiler/resolve/builtin-table.js';
import { exportsOf, packageKey } from '../../../../compiler/resolve/imports.js';
import { parseModule } from '../../../../compiler/syntax/parse.js';
import { Editor, positionOf } from '../../../../test/harness/language/editor.js';
import { randomCases } from '../../../../test/harness/set-up/random-cases.js';
import { findNames } from '../../names/module-names.js';

const paths = globSync('{fixtures/{idioms,example},examples}/**/*.rego').sort();
/** The policies of a folder go together, or each stands alone. */
const groups = [...Map.groupBy(paths, (path) => path.split('/').slice(0, -1).join('/')).values(), ...paths.map((path) => [path])];

/** The errors of policies; undefined where one cannot be read as version 1. */
function errorsOf(texts: ReadonlyMap<string, string>): readonly string[] | undefined {
  try {
    const modules = new Map([...texts].map(([path, text]) => [path, parseModule(path, text)] as const));
    return compileModules({ modules, options: { print: true } }).diagnostics.map(({ message }) => message);
  } catch {
    return undefined;
  }
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

test('names of real policies', async () => {
  const builtins = new BuiltinTable(undefined);
  let left = randomCases(3000);
  let renamed = 0;
  for (const group of groups) {
    const texts = new Map(group.map((path) => [path, readFileSync(path, 'utf8')] as const));
    if (errorsOf(texts)?.length !== 0) continue;
    const editor = await Editor.open(Object.fromEntries(texts));
    const modules = [...texts].map(([path, text]) => parseModule(path, text));
    const exports = exportsOf(modules);
    for (const module of modules) {
      const { byKey } = findNames(module, exports.get(packageKey(module.package)) ?? new Set(), builtins);
      const path = module.source.file;
      // Each kind of name in the file, and not only those of its beginning.
      const all = [...byKey.values()].filter(([one]) => one!.kind !== 'builtin' && one!.path?.length !== 1);
      for (const [first] of all.filter((_, i) => i % Math.ceil(all.length / 40) === 0)) {
        if (left-- <= 0) return expect(renamed).toBeGreaterThan(50);
        const where = { textDocument: { uri: editor.uri(path) }, position: positionOf(texts.get(path)!, first!.start) };
        const title = `${path}:${module.source.row(first!.start)} ${first!.key}`;
        const edit = await editor
          .ask<WorkspaceEdit>('textDocument/rename', { ...where, newName: 'zz_renamed' })
          .catch((error: Error) => error);
        if (edit instanceof Error) continue;
        editor.apply(edit);
        expect(errorsOf(editor.texts), title).toEqual([]);
        renamed++;
        const written = texts.get(path)!.slice(first!.start, first!.end);
        if (/^[A-Za-z_]\w*$/.test(written)) {
          // From the same place: at another one, a name may belong to a value that is computed.
          const before = edit.changes![where.textDocument.uri]!.filter(({ range }) => isBefore(range.start, where.position));
          const offset = [...editor.texts.get(path)!.matchAll(/zz_renamed/g)][before.length]!.index;
          const back = { textDocument: where.textDocument, position: positionOf(editor.texts.get(path)!, offset), newName: written };
          editor.apply(await editor.ask<WorkspaceEdit>('textDocument/rename', back));
          for (const [name, text] of texts) expect(editor.texts.get(name), title).toBe(text);
        } else for (const [name, text] of texts) editor.type(name, text);
      }
    }
  }
  expect(renamed).toBeGreaterThan(50);
}, 600_000);

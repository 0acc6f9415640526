/**
 * The project of a test file, by what it imports, itself or through helpers. Files of `unit` start
 * nothing, files of `process` start programs: they share processes and their modules. Files of
 * `package` install packages, drive browsers or start databases. Files of `isolated` replace
 * modules, or have a line `Isolated: reason.` in a comment. Each of these two has its own process.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folders } from '../scripts/layers.js';

const root = fileURLToPath(new URL('..', import.meta.url));

export const projectNames = ['unit', 'process', 'package', 'isolated'] as const;
export type ProjectName = (typeof projectNames)[number];

/** Imports that start programs. */
const starters = /^node:(?:child_process|cluster)$/;

/** Helpers that install packages or start databases, and the package that drives browsers. */
const installers = /^test\/package\/|^test\/harness\/databases\/|^playwright-core$/;

/** Where helpers of tests are. Product code may start programs, too; a test of it imports them. */
const helpers = /^(?:test|scripts|bench)\//;

export type Read = (path: string) => string | undefined;

const readSource: Read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined);

/** All test files, from the root of the project. */
export function testFiles(): readonly string[] {
  return globSync(`{${[...folders, 'fixtures']}}/**/*.test.ts`, { cwd: root }).sort();
}

/** The project that a test file is in. */
export function projectOf(file: string, read: Read = readSource): ProjectName {
  if (isIsolated(file, read)) return 'isolated';
  const imports = allImports(file, read);
  if ([file, ...imports].some((path) => installers.test(path))) return 'package';
  return imports.some((path) => starters.test(path)) ? 'process' : 'unit';
}

/** Whether a test file takes random cases, of which a run has a tenth. */
export function hasRandomCases(file: string, read: Read = readSource): boolean {
  return allImports(file, read).some((path) => path === 'test/harness/set-up/random-cases.ts' || path === 'fast-check');
}

/** A module that another file has loaded cannot be replaced, and one that is loaded anew stays. */
const isolated = /^(?: \*|\/\/|\/\*\*) Isolated: .|^ *vi\.(?:mock|doMock|resetModules)\(/m;

function isIsolated(file: string, read: Read): boolean {
  return isolated.test(read(file) ?? '');
}

/** What a file imports, and what the helpers among it import. */
function allImports(file: string, read: Read): readonly string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    for (const each of importsOf(path, read)) {
      if (found.has(each)) continue;
      found.add(each);
      if (helpers.test(each)) visit(each);
    }
  };
  visit(file);
  return [...found];
}

const known = new Map<string, readonly string[]>();

/** Packages by their names, files by their paths from the root. */
function importsOf(path: string, read: Read): readonly string[] {
  const before = known.get(path);
  if (before !== undefined && read === readSource) return before;
  const names = [...(read(path) ?? '').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name!);
  const imports = names.map((name) =>
    name.startsWith('.') ? relative(root, join(root, dirname(path), name)).replace(/\.js$/, '.ts') : name,
  );
  if (read === readSource) known.set(path, imports);
  return imports;
}

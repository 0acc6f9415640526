import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDoors, throughDoors } from '../doors.js';

const project = join(import.meta.dirname, '../..');
const exported = readDoors();

/**
 * The given sources and all that they import, as `tsc` compiles them: CommonJS and declarations, by
 * their paths.
 */
export function compile(root: string, sources: readonly string[]): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'writ-build-'));
  try {
    const config = join(folder, 'tsconfig.json');
    const outDir = join(folder, 'out');
    const staged = join(folder, 'sources');
    stage(root, staged);
    const compilerOptions = { rootDir: staged, outDir, typeRoots: [join(project, 'node_modules/@types')] };
    const files = sources.map((path) => join(staged, path));
    writeFileSync(config, JSON.stringify({ extends: join(project, 'tsconfig.build.json'), compilerOptions, files }));
    const compiler = join(project, 'node_modules/typescript/bin/tsc');
    const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', config], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`tsc failed: ${stdout}${stderr}`);
    const made = readdirSync(outDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = made.map(({ parentPath, name }) => join(parentPath, name));
    return new Map(paths.map((path) => [path.slice(outDir.length + 1), readFileSync(path, 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Folders without sources of the product. */
const beside: ReadonlySet<string> = new Set(['dist', 'docs', 'editors', 'examples', 'fixtures', 'test', 'bench']);

/** Copies the sources of a project with their texts for bundles. */
function stage(root: string, to: string): void {
  const visit = (path: string): void => {
    mkdirSync(join(to, path), { recursive: true });
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const { name } = entry;
      const own = join(path, name);
      if (name === 'node_modules') symlinkSync(join(root, own), join(to, own));
      else if (entry.isDirectory() && !name.startsWith('.') && !(path === '' && beside.has(name))) visit(own);
      else if (/\.(?:tsx?|json)$/.test(name) && !name.endsWith('.test.ts'))
        writeFileSync(join(to, own), throughDoors(readFileSync(join(root, own), 'utf8'), own, exported));
    }
  };
  visit('');
}

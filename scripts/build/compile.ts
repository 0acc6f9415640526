import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

/**
 * The given sources and all that they import, as `tsc` compiles them: CommonJS and declarations, by
 * their paths.
 */
export function compile(root: string, sources: readonly string[]): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'writ-build-'));
  try {
    const config = join(folder, 'tsconfig.json');
    const outDir = join(folder, 'out');
    const compilerOptions = { rootDir: root, outDir, typeRoots: [join(project, 'node_modules/@types')] };
    const files = sources.map((path) => join(root, path));
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

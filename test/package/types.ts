import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { examples } from '../../scripts/docs/examples.js';
import { own, run } from './project.js';

interface Settings {
  readonly module: string;
  readonly moduleResolution: string;
  readonly include: readonly string[];
}

export const settings: readonly Settings[] = [
  { module: 'NodeNext', moduleResolution: 'NodeNext', include: ['typed-*.mts', 'typed-*.cts'] },
  { module: 'Node16', moduleResolution: 'Node16', include: ['typed-*.mts', 'typed-*.cts'] },
  { module: 'ESNext', moduleResolution: 'Bundler', include: ['typed-*.mts'] },
];

/**
 * The settings of ts-jest and older projects, which do not support `exports`. TypeScript 7 has
 * removed them.
 */
export const olderSettings: Settings = { module: 'CommonJS', moduleResolution: 'Node10', include: ['typed-*.cts'] };

/** What the examples use of Node. Its own types would hide that declarations need them. */
const globals = 'declare const process: { cwd(): string };\n';

/** Type-checks the examples as ES modules and as CommonJS, and all declarations that they need. */
export function testTypes(project: string, compiler: string | undefined, tried: readonly Settings[]): void {
  writeFileSync(join(project, 'globals.d.ts'), globals);
  for (const { page, number, code } of examples) {
    const name = `typed-${page.replaceAll(/\W/g, '-')}-${number}`;
    writeFileSync(join(project, `${name}.mts`), code);
    writeFileSync(join(project, `${name}.cts`), awaitedInside(code));
  }

  test.skipIf(compiler === undefined).each(tried)('$module', async ({ module, moduleResolution, include }) => {
    const compilerOptions = { module, moduleResolution, target: 'es2022', strict: true, noEmit: true, skipLibCheck: false, types: [] };
    const config = `tsconfig-${module}.json`;
    writeFileSync(join(project, config), JSON.stringify({ compilerOptions, include: ['globals.d.ts', ...include] }));
    const { status, stdout } = await run(own('node/bin/node'), [compiler!, '-p', config], project);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });
}

/** CommonJS has no top-level await. */
function awaitedInside(code: string): string {
  const imports = code.match(/^import .*;$/gm) ?? [];
  return `${imports.join('\n')}\nasync function example() {\n${code.replaceAll(/^import .*;$/gm, '')}}\nvoid example();\n`;
}

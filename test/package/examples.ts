import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { examples } from '../../scripts/docs/examples.js';
import { run, withNode } from './project.js';

/**
 * Runs the examples of the README and of the docs, each as a program that imports or requires the
 * package.
 */
export function testExamples(project: string, node: string | undefined): void {
  describe.each(['import', 'require'] as const)('examples with %s', (form) => {
    test.skipIf(node === undefined).each(examples)('example $number of $page prints what stands behind it', async (example) => {
      const { code } = await transform(example.code, { loader: 'ts' });
      const file = `${form}-${example.page.replaceAll(/\W/g, '-')}-${example.number}.${form === 'import' ? 'mjs' : 'cjs'}`;
      writeFileSync(join(project, file), form === 'import' ? code : required(code));
      // All of them load the same package: it is compiled once.
      const env = { ...withNode(node!), NODE_COMPILE_CACHE: join(project, 'compiled') };
      const { stdout, stderr } = await run(node!, [file], project, env);
      expect({ lines: stdout.trimEnd().split('\n'), stderr: withoutHints(stderr) }).toEqual({ lines: example.prints, stderr: '' });
    });
  });
}

/** Without the warnings of paths that nothing answers: examples show that, too. */
function withoutHints(stderr: string): string {
  return stderr.replaceAll(/^\(node:\d+\) WritWarning: nothing answers .*\n|^\(Use `node --trace-warnings .*\n/gm, '');
}

/** An example as CommonJS, without top-level await. */
function required(code: string): string {
  const body = code.replaceAll(/^import (\{[^}]*\}) from "(.*)";$/gm, 'const $1 = require("$2");');
  return `(async () => {\n${body}\n})();\n`;
}

/** What users of npm check before they install: the form of the package. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { own, pack, run, type Tools, withNode } from './project.js';

const node = own('node/bin/node');

export function testPublished(tools: Tools): void {
  describe('the published package', () => {
    let folder: string;
    let file: string;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'writ-published-'));
      file = join(folder, await pack(folder));
    });

    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const publint = tools.path('publint/src/cli.js');
    test.skipIf(publint === undefined)('publint finds nothing', async () => {
      const { status, stdout } = await run(node, [publint!, 'run', file, '--strict', '--level', 'warning'], folder, withNode(node));
      expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.not.stringMatching(/Warnings|Errors/) });
    });

    const attw = tools.path('@arethetypeswrong/cli/dist/index.js');
    test.skipIf(attw === undefined)('its types resolve as its code does', async () => {
      // The entry for browsers is an ES module alone.
      const flags = ['--ignore-rules', 'cjs-resolves-to-esm', '--no-color', '--no-emoji'];
      const { status, stdout } = await run(node, [attw!, file, ...flags], folder, withNode(node));
      expect({ status, stdout }).toMatchObject({ status: 0 });
    });

    test('packing again gives the same bytes', async () => {
      const again = mkdtempSync(join(tmpdir(), 'writ-again-'));
      const other = join(again, await pack(again));
      expect(readFileSync(other).equals(readFileSync(file))).toBe(true);
      rmSync(again, { recursive: true, force: true });
    });
  });
}

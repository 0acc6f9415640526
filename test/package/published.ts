/** What users of npm check before they install: the form of the package. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { npm, own, pack, packedName, run, type Tools, withNode } from './project.js';

const node = own('node/bin/node');

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses: readonly License[];
}

type License = { readonly license: { readonly id: string } } | { readonly expression: string };

interface Bill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly dependsOn: readonly string[] }[];
}

function licenseOf(license: License): string {
  return 'license' in license ? license.license.id : license.expression;
}

/** @param project a project with the packed package, and nothing else */
export function testPublished(project: string, tools: Tools): void {
  describe('the published package', () => {
    const file = join(project, packedName);

    const publint = tools.path('publint/src/cli.js');
    test.skipIf(publint === undefined)('publint finds nothing', async () => {
      const { status, stdout } = await run(node, [publint!, 'run', file, '--strict', '--level', 'warning'], project, withNode(node));
      expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.not.stringMatching(/Warnings|Errors/) });
    });

    const attw = tools.path('@arethetypeswrong/cli/dist/index.js');
    test.skipIf(attw === undefined)('its types resolve as its code does', async () => {
      // The entry for browsers is an ES module alone.
      const flags = ['--ignore-rules', 'cjs-resolves-to-esm', '--no-color', '--no-emoji'];
      const { status, stdout } = await run(node, [attw!, file, ...flags], project, withNode(node));
      expect({ status, stdout }).toMatchObject({ status: 0 });
    });

    test('npm sbom tells its version, licence and hash, and the package itself what it holds', async () => {
      const own = { name: 'writ', version: manifest.version, licenses: [{ license: { id: 'Apache-2.0' } }] };
      const { components } = JSON.parse(await npm(['sbom', '--sbom-format', 'cyclonedx'], project)) as Bill;
      expect(components).toMatchObject([{ ...own, purl: `pkg:npm/writ@${manifest.version}`, hashes: [{ alg: 'SHA-512' }] }]);
      const spdx = JSON.parse(await npm(['sbom', '--sbom-format', 'spdx'], project)) as { readonly packages: readonly object[] };
      expect(spdx.packages).toContainEqual(expect.objectContaining({ name: 'writ', licenseDeclared: 'Apache-2.0' }));

      const dist = join(project, 'node_modules/writ/dist');
      const bill = JSON.parse(readFileSync(join(dist, 'sbom.json'), 'utf8')) as Bill;
      expect(bill.metadata.component).toMatchObject(own);
      const lines = readFileSync(join(dist, 'licences.txt'), 'utf8').matchAll(/^(\S+) (\d\S*) \((.*)\)$/gm);
      const held = [...lines].map(([, name, version, license]) => `${name}@${version} ${license}`).sort();
      expect(held.length).toBeGreaterThan(20);
      expect(bill.components.map(({ name, version, licenses }) => `${name}@${version} ${licenseOf(licenses[0]!)}`).sort()).toEqual(held);
      expect(bill.dependencies[0]!.dependsOn.length).toBe(held.length);
    });

    test('packing again gives the same bytes', async () => {
      const again = mkdtempSync(join(tmpdir(), 'writ-again-'));
      const other = join(again, await pack(again));
      expect(readFileSync(other).equals(readFileSync(file))).toBe(true);
      rmSync(again, { recursive: true, force: true });
    });
  });
}

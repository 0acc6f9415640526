import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages, type Inputs } from './licences.js';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly description?: string;
}

/**
 * The bill of materials of the package, in CycloneDX: what `npm sbom` cannot know, since the
 * package has no dependencies but holds the code of others. The same sources give the same text.
 */
export function sbom(root: string, bundles: readonly Inputs[]): string {
  const own = component(root, '.');
  const bundled = bundledPackages(bundles).map((folder) => component(root, folder));
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: own },
    components: bundled,
    dependencies: [{ ref: own['bom-ref'], dependsOn: bundled.map((one) => one['bom-ref']) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function component(root: string, folder: string) {
  const { name, version, license, description } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  ) as Manifest;
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    ...(description !== undefined && { description }),
    purl,
    licenses: [/ (?:OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } }],
  };
}

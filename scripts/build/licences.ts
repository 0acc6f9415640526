import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** The licences of all packages in the bundles, which must be distributed with them. */
export function licences(root: string, bundles: readonly Metafile[]): string {
  const folders = bundles.flatMap(({ inputs }) => files(inputs).map((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]));
  const packages = [...new Set(folders.filter((folder) => folder !== undefined))].sort();
  return `This package holds code of the following packages.\n${packages.map((folder) => licence(root, folder)).join('')}`;
}

/** Inputs of plugins have a prefix with a colon. */
function files(inputs: Metafile['inputs']): string[] {
  return Object.keys(inputs).filter((path) => !path.includes(':'));
}

/** The name, release and licence of a package. */
export function licence(root: string, folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<string, string>;
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${folder} has no licence to bring along`);
  return `\n${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
}

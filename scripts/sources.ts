import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Texts of the TypeScript files below some folders, by path from the project's root; generated
 * files are left out.
 */
export function readSources(root: string, folders: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const folder of folders.filter((name) => existsSync(join(root, name)))) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const path = `${folder}/${name}`;
      if (/\.tsx?$/.test(path) && !path.endsWith('.d.ts')) texts.set(path, readFileSync(join(root, path), 'utf8'));
    }
  }
  return texts;
}

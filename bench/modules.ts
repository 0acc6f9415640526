import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of all modules below a folder, sorted. */
export function modulesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.rego'))
    .sort()
    .map((name) => join(folder, name));
}

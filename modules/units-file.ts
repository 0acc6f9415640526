import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ModuleUnits } from '../runtime/codegen/module/module-units.js';

/** The runtime of modules, which the build writes into dist/. */
export function readModuleUnits(): ModuleUnits {
  // Beside a script in dist/ or in a folder of it, or from the sources.
  const places = ['', '..', '../dist'].map((place) => join(import.meta.dirname, place, 'module-units.json.gz'));
  const bytes = readFileSync(places.find((path) => existsSync(path)) ?? places[0]!);
  return JSON.parse(gunzipSync(bytes).toString()) as ModuleUnits;
}

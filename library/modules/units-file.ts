import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ModuleUnits, StoredUnits } from '../../runtime/index.js';

/** The runtime of modules, which the build writes into dist/. */
export function readModuleUnits(): ModuleUnits {
  const units = JSON.parse(gunzipSync(readFileSync(inDist('module-units.json.gz'))).toString()) as StoredUnits;
  const shared = readFileSync(sharedRuntimeFile(), 'utf8');
  const declarations = units.declarations.map((one) => ({
    ...one,
    text: typeof one.text === 'string' ? one.text : shared.slice(...one.text),
  }));
  return { ...units, declarations };
}

/** The path of the ES module of the runtime, which policies of a bundle share. */
export function sharedRuntimeFile(): string {
  return inDist('shared/module-runtime.js');
}

/** Beside a script in dist/ or in a folder of it, or from the sources. */
function inDist(name: string): string {
  const places = ['', '..', '../../dist'].map((place) => join(import.meta.dirname, place, name));
  return places.find((path) => existsSync(path)) ?? places[0]!;
}

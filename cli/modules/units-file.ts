import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModuleUnits } from '../../runtime/codegen/module/module-units.js';

/** The runtime of modules, which the build writes into dist/. */
export function readModuleUnits(): ModuleUnits {
  const inDist = join(import.meta.dirname, 'module-units.json');
  const path = existsSync(inDist) ? inDist : join(import.meta.dirname, '../../dist/module-units.json');
  return JSON.parse(readFileSync(path, 'utf8')) as ModuleUnits;
}

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ModuleUnits } from '../../runtime/codegen/module/module-units.js';

/** The runtime of modules, which the build writes beside the command. */
export function readModuleUnits(): ModuleUnits {
  // The command is a script, which knows no folder of its own.
  const source: string | undefined = import.meta.dirname;
  const dist = source === undefined ? dirname(process.argv[1]!) : join(source, '../../dist');
  return JSON.parse(readFileSync(join(dist, 'module-units.json'), 'utf8')) as ModuleUnits;
}

// Sources as Node runs them: without types, which leaves lines and columns as they are.
import { stripTypeScriptTypes } from 'node:module';
import { transformSync } from 'rolldown/utils';
import { readDoors, throughDoors } from '../../scripts/doors.ts';

const exported = readDoors();

/** The code of a source. `path` is from the root. */
export function compile(path, text) {
  const code = throughDoors(text, path, exported);
  if (!path.endsWith('x')) return stripTypeScriptTypes(code);
  return transformSync(path, code, { jsx: { runtime: 'automatic', importSource: 'preact' } }).code;
}

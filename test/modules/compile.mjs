// Sources as Node runs them: without types, which leaves lines and columns as they are.
import { stripTypeScriptTypes } from 'node:module';
import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { transformSync } from 'rolldown/utils';
import { keyOfDoors, readDoors, throughDoors } from '../../scripts/doors.ts';

const exported = readDoors();

/** Changes where a door takes a name from another file. */
export const doorsKey = keyOfDoors(exported);

/** The code of a source. `path` is from the root. */
export function compile(path, text) {
  const code = throughDoors(text, path, exported);
  if (path.endsWith('x')) return pageCode(path, code);
  try {
    return stripTypeScriptTypes(code);
  } catch (error) {
    // Node tells the line at the head of the stack alone, and no file.
    const [line = ''] = /^:\d+/.exec(error.stack) ?? [];
    throw new SyntaxError(`${path}${line}: ${error.message}`, { cause: error });
  }
}

/** The code of a page. The lines of its source are in a map, which vitest reads. */
function pageCode(path, text) {
  const jsx = { runtime: 'automatic', importSource: 'preact' };
  const { code, map, errors } = transformSync(basename(path), text, { jsx, sourcemap: true });
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors.map(({ message }) => stripVTControlCharacters(message)).join('\n')}`);
  const url = Buffer.from(JSON.stringify(map)).toString('base64');
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${url}\n`;
}

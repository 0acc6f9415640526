/** The inspector's page: the file that the build makes, with data and engine in it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { PageData } from '../web/data/page-data.js';

/** The page as one file. Without data it asks the server that it is from. */
export function inspectorPage(data: PageData | undefined): string {
  const page = builtFile('inspector', 'page.html.gz').toString();
  // JSON may contain what ends the element, or begins a comment in it.
  const json = JSON.stringify(data ?? null).replaceAll('<', '\\u003c');
  return filled(filled(page, 'DATA', json), 'ENGINE', builtBytes('inspector', 'engine.js.gz').toString('base64'));
}

/** The first element with a text that stands for another one. */
function filled(page: string, name: string, text: string): string {
  const at = page.indexOf(`>${name}</script>`) + 1;
  return page.slice(0, at) + text + page.slice(at + name.length);
}

/** A compressed file of the built package, which the sources use too, as it was before. */
export function builtFile(folder: 'inspector' | 'ui', name: string): Buffer {
  return gunzipSync(builtBytes(folder, name));
}

function builtBytes(folder: string, name: string): Buffer {
  const inDist = join(import.meta.dirname, folder, name);
  return readFileSync(existsSync(inDist) ? inDist : join(import.meta.dirname, '../../dist', folder, name));
}

// Node loads the modules of tests itself. Plain JavaScript, and nothing but Node: each process of the
// tests begins with it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');
const rootUrl = `${pathToFileURL(root).href}/`;
const isSource = (url) => url.startsWith(rootUrl) && /\.tsx?(?:\?|$)/.test(url) && !url.includes('/node_modules/');

// A watch asks vitest which files a test imports.
const isWatch = process.env.VITEST_MODE === 'WATCH';

const sources = new Map();

/** The address of the source of a module that is imported as `.js`. */
function sourceOf(url) {
  if (!sources.has(url)) {
    const found = ['.ts', '.tsx'].map((extension) => url.replace(/\.js(?=\?|$)/, extension));
    sources.set(
      url,
      found.find((each) => each !== url && existsSync(fileURLToPath(each))),
    );
  }
  return sources.get(url);
}

/** Code is kept by the texts of its source and its compiler, and by the exports of the doors. */
const folder = join(root, 'node_modules/.cache/test-modules');
const compiler = 'test/modules/compile.mjs';
const compilers = [compiler, 'scripts/doors.ts'].map((path) => readFileSync(join(root, path), 'utf8'));
const keys = [...compilers, process.env.WRIT_DOORS, process.version];

function codeOf(file) {
  const [path, text] = [relative(root, file), readFileSync(file, 'utf8')];
  const kept = join(
    folder,
    createHash('sha1')
      .update([...keys, path, text].join('\0'))
      .digest('hex'),
  );
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { compile, doorsKey } = createRequire(import.meta.url)(join(root, compiler));
    const code = compile(path, text);
    // A door that has changed since the run began would be kept under the key of the former.
    if (doorsKey !== process.env.WRIT_DOORS) return code;
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${kept}.${process.pid}`, code);
    renameSync(`${kept}.${process.pid}`, kept);
    return code;
  }
}

let last;

/** The address of the module that was loaded last. */
export const lastLoaded = () => last;

registerHooks({
  resolve(specifier, context, next) {
    const parent = context.parentURL;
    if (!specifier.startsWith('.') || parent === undefined || !isSource(parent)) return next(specifier, context);
    const url = sourceOf(new URL(specifier, parent).href);
    if (url === undefined || isWatch) return next(url ?? specifier, context);
    return { url, format: 'module', shortCircuit: true };
  },
  load(url, context, next) {
    last = url;
    if (!isSource(url)) return next(url, context);
    // The compiler imports it, so Node alone strips its types.
    if (url === `${rootUrl}scripts/doors.ts`) return next(url, { ...context, format: 'module-typescript' });
    return { format: 'module', source: codeOf(fileURLToPath(url)), shortCircuit: true };
  },
});

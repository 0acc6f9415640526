import { type OutputChunk, rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { chunksByUse } from './browser-chunks.js';

/** The chunks of modules, given as paths of what each imports and, after a `?`, loads on demand. */
async function chunksOf(
  modules: Readonly<Record<string, string>>,
  entries: Readonly<Record<string, string>>,
  uses: Parameters<typeof chunksByUse>[1],
): Promise<readonly OutputChunk[]> {
  const bundle = await rolldown({
    input: entries,
    preserveEntrySignatures: 'allow-extension',
    plugins: [
      {
        name: 'modules',
        resolveId: (id) => (id in modules ? id : null),
        load: (id) => (id in modules ? textOf(id, modules[id]!) : null),
      },
    ],
  });
  const { output } = await bundle.generate({
    codeSplitting: { groups: [{ debugName: 'by use', name: chunksByUse(entries, uses), includeDependenciesRecursively: false }] },
  });
  return output.filter((file) => file.type === 'chunk');
}

function textOf(id: string, imports: string): string {
  const lines = imports.split(' ').map((name, i) => {
    if (name === '') return '';
    return name.startsWith('?') ? `export const later${i} = () => import('${name.slice(1)}');` : `export * from '${name}';`;
  });
  return `${lines.join('\n')}\nexport const ${id} = [Math.random()];`;
}

/** The modules of each chunk, by its name. */
function contents(chunks: readonly OutputChunk[]): Readonly<Record<string, string>> {
  const rows = chunks.map(({ name, moduleIds }) => [name, moduleIds.filter((id) => !id.startsWith('\0')).join(' ')] as const);
  return Object.fromEntries(rows.filter(([, ids]) => ids !== ''));
}

const modules = {
  page: 'base ?open ?query ?one ?two',
  worker: 'base run ?open',
  open: 'base run ?helper',
  query: 'run asked both',
  helper: '',
  asked: '',
  base: '',
  run: '',
  one: 'both base',
  two: 'both',
  both: '',
};

const uses = { steps: { open: ['open', 'helper'] }, besides: { query: ['query'] } };
const entries = { page: 'page', worker: 'worker' };

test('modules that are needed in the same places stand together', async () => {
  expect(contents(await chunksOf(modules, entries, uses))).toEqual({
    page: 'page',
    worker: 'worker',
    'start-PW': 'base',
    'open-pW': 'run',
    'open-pw': 'helper open',
    'query-p': 'asked query',
    'shared-p': 'both',
    'one-p': 'one',
    'two-p': 'two',
  });
});

test('an entry loads nothing that it does not need, and exports nothing more', async () => {
  const chunks = await chunksOf(modules, entries, uses);
  const named = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = (fileName: string): string[] => [fileName, ...named.get(fileName)!.imports.flatMap(loaded)];
  const page = chunks.find(({ name }) => name === 'page')!;
  const modulesOf = loaded(page.fileName).flatMap((fileName) => named.get(fileName)!.moduleIds);
  expect(modulesOf.filter((id) => id in modules).sort()).toEqual(['base', 'page']);
  expect([...page.exports].sort()).toEqual(['base', 'later1', 'later2', 'later3', 'later4', 'page']);
});

/** The figure of `docs/architecture.md`: folders and the imports between them, for Mermaid. */
import { dirname, posix } from 'node:path';
import { importsOf } from './layers.js';

/** Folders that no product folder imports. */
const beside = new Set(['scripts', 'test', 'bench']);

/**
 * The top-level folders of the product as a graph. An arrow is an import, types included; arrows
 * that follow from two others are left out.
 * @param sources file texts by path from the project's root
 */
export function houseMap(sources: ReadonlyMap<string, string>): string {
  const imports = new Map<string, Set<string>>();
  for (const [path, text] of sources) {
    const folder = folderOf(path);
    if (folder === undefined || path.endsWith('.test.ts')) continue;
    const found = imports.get(folder) ?? new Set();
    imports.set(folder, found);
    for (const { specifier } of importsOf(text)) {
      const target = specifier.startsWith('.') ? folderOf(posix.join(dirname(path), specifier)) : undefined;
      if (target !== undefined && target !== folder) found.add(target);
    }
  }
  const lines = [...imports.keys()].sort().flatMap((from) => {
    const targets = [...imports.get(from)!];
    const direct = targets.filter((to) => !targets.some((other) => other !== to && reaches(imports, other, to)));
    return direct.sort().map((to) => `  ${nodeOf(from)} --> ${nodeOf(to)}`);
  });
  return ['flowchart TD', ...lines].join('\n');
}

function folderOf(path: string): string | undefined {
  const [folder, file] = path.split('/');
  return file === undefined || beside.has(folder!) ? undefined : folder;
}

/** Whether a folder imports another one, itself or by others. There are no circles. */
function reaches(imports: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const targets = [...(imports.get(from) ?? [])];
  return targets.includes(to) || targets.some((other) => reaches(imports, other, to));
}

/** Names of nodes have no hyphen: two of them begin an arrow. */
function nodeOf(folder: string): string {
  return folder.includes('-') ? `${folder.replaceAll('-', '_')}[${folder}]` : folder;
}

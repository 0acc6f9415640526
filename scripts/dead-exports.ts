import { dirname, posix } from 'node:path';
import { importsOf } from './layers.js';

/** Files whose exports are read from outside: the library's doors, entries of builds, settings. */
const doors = /^(library\/index|library\/evaluation-thread|compiler\/index|runtime\/codegen\/module\/runtime|[^/]+\.config)\.ts$/;

/**
 * Finds exports that no other file imports. A name counts as imported where a file that imports
 * its module, in any form, has the name as a word: that may miss a dead export, and never reports
 * a living one.
 * @param sources file texts by path from the project's root, tests included
 * @returns one sentence for each dead export, sorted
 */
export function deadExports(sources: ReadonlyMap<string, string>): string[] {
  const importers = new Map<string, string[]>();
  for (const [path, text] of sources) {
    for (const { specifier } of importsOf(text)) {
      if (!specifier.startsWith('.')) continue;
      const target = posix.join(dirname(path), specifier).replace(/\.js$/, '.ts');
      const known = importers.get(target);
      if (known === undefined) importers.set(target, [text]);
      else known.push(text);
    }
  }
  const complaints: string[] = [];
  for (const [path, text] of sources) {
    if (doors.test(path)) continue;
    for (const name of exportsOf(text.replace(templates, ''))) {
      const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
      if (importers.get(path)?.some((importer) => word.test(importer))) continue;
      complaints.push(`${path} exports ${name}, which no file imports`);
    }
  }
  return complaints.sort();
}

/** Template texts, which may hold declarations of other files. */
const templates = /`(?:[^`\\]|\\.)*`/g;

/** The names that a formatted file exports by declarations and by lists; each begins a line. */
function exportsOf(text: string): string[] {
  const names: string[] = [];
  const declaration =
    /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]+)/gm;
  for (const [, name] of text.matchAll(declaration)) names.push(name!);
  for (const [, list] of text.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}/gm)) {
    for (const item of list!.split(',')) {
      const name = item.trim().split(/\s+/).at(-1);
      if (name) names.push(name);
    }
  }
  return names;
}

/** The warnings about the policies of a command line. */

import type { Body, Compiled, SilentCode, Warning, WarningScope } from '../../compiler/index.js';
import { codesOfNames, findQueryWarnings, findWarnings, loadPatterns } from '../../compiler/index.js';
import type { PlainObject } from '../../values/index.js';
import { Neighbours, shownPath } from './neighbours.js';
import { findWarningConfig, hasLintConfig, readWarningConfig } from './warning-config.js';

interface WarningSources extends Pick<WarningScope, 'roots' | 'isPart' | 'isLint'> {
  /** The paths of the command line: the configuration is looked for above the first. */
  readonly paths: readonly string[];
  /** Base documents, read when a name is in no policy; undefined where they cannot be read. */
  readonly documents: () => Promise<PlainObject | undefined>;
  /** Refs that the command line names as given at run time. */
  readonly known?: readonly string[];
  /** The query; with it, only the rules that it reads are looked at. */
  readonly query?: Body;
}

export async function findSourceWarnings(compiled: Compiled, sources: WarningSources): Promise<readonly Warning[]> {
  const path = findWarningConfig(sources.paths);
  const { known = [], silent: ignored = [] } = path === undefined ? {} : await readWarningConfig(path);
  const silent = [...ignored, ...(await silentCodes(sources))];
  const { query, roots, isLint } = sources;
  const neighbours = new Neighbours(sources.paths);
  const files = new Set([...compiled.modules.values()].map(({ parsed }) => shownPath(parsed.source.file)));
  const isMentioned = (name: string): boolean => neighbours.isMentioned(name, files);
  const scope: WarningScope = { roots, isLint, isMentioned, known: [...known, ...(sources.known ?? [])], silent };
  const find = (more: WarningScope = scope) =>
    query === undefined ? findWarnings(compiled, more) : findQueryWarnings(query, compiled, more);
  await loadPatterns(compiled);
  const found = find();
  if (!found.some(({ code }) => codesOfNames.has(code))) return found;
  const documents = await sources.documents();
  return documents === undefined
    ? found.filter(({ code }) => !codesOfNames.has(code))
    : find({
        ...scope,
        documents,
        elsewhere: (names, what) => neighbours.fileWith(names, documents, what),
        isPart: sources.isPart,
      });
}

/** The linter applies its configuration itself. */
async function silentCodes({ paths, isLint }: WarningSources): Promise<readonly SilentCode[]> {
  if (isLint || !hasLintConfig(paths)) return [];
  const { silentInLint } = await import('./lint-levels.js');
  return silentInLint(paths);
}

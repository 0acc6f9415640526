/** The warnings about the policies of a command line. */

import type { Warning } from '../../compiler/diagnostics/warnings.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { findWarnings } from '../../compiler/warnings/find-warnings.js';
import type { WarningScope } from '../../compiler/warnings/warning-scope.js';
import type { PlainObject } from '../../values/value.js';
import { findConfig, readWarningConfig } from './warning-config.js';

export interface WarningSources extends Pick<WarningScope, 'roots'> {
  /** The paths of the command line: the configuration is looked for above the first. */
  readonly paths: readonly string[];
  /** Base documents, read when a name is in no policy; undefined where they cannot be read. */
  readonly documents: () => Promise<PlainObject | undefined>;
  /** Refs that the command line names as given at run time. */
  readonly known?: readonly string[];
}

const unresolved: ReadonlySet<string> = new Set(['unresolved-reference', 'unresolved-import']);

export async function findSourceWarnings(compiled: Compiled, sources: WarningSources): Promise<readonly Warning[]> {
  const path = findConfig(sources.paths);
  const { known = [], silent } = path === undefined ? {} : await readWarningConfig(path);
  const scope: WarningScope = { roots: sources.roots, known: [...known, ...(sources.known ?? [])], silent };
  const found = findWarnings(compiled, scope);
  if (!found.some(({ code }) => unresolved.has(code))) return found;
  const documents = await sources.documents();
  return documents === undefined
    ? found.filter(({ code }) => !unresolved.has(code))
    : findWarnings(compiled, { ...scope, documents });
}

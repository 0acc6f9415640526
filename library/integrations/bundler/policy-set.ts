/** The policies that a file needs: those of its package, and of packages they refer to. */

import { resolve } from 'node:path';
import type { Diagnostic, Module, ParseOptions, Span } from '../../../compiler/index.js';
import {
  CompileErrors,
  compileErrors,
  dataPathsIn,
  isRoot,
  leadingKeys,
  packageSegments,
  parseModule,
} from '../../../compiler/index.js';
import { packagePathIn } from '../../../engine/index.js';
import { areOnOneWay, isSamePath } from '../../../values/index.js';
import { listed, type ProjectReading } from './project-files.js';

/** A policy file of the project. */
interface PolicyFile {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  /** Undefined for a faulty text that names none. */
  readonly package: readonly string[] | undefined;
  readonly parsed: Module | readonly Diagnostic[];
}

interface UnknownImport {
  readonly path: readonly string[];
  readonly loc: Span;
}

export interface PolicySet {
  readonly modules: ReadonlyMap<string, Module>;
  readonly texts: ReadonlyMap<string, string>;
  readonly package: readonly string[];
  /** Imports of `data` for which there is no policy. */
  readonly unknownImports: readonly UnknownImport[];
}

/**
 * @param file the absolute path of the imported file
 * @param nameOf the name of a file in messages
 * @throws CompileErrors for needed policies that do not parse
 */
export function policySet(
  file: string,
  folders: readonly string[],
  parse: ParseOptions,
  nameOf: (path: string) => string,
  reading: ProjectReading,
): PolicySet {
  const paths = folders.flatMap((folder) => reading.filesAt(folder, /\.rego$/).map(({ path }) => path));
  const files = [...new Set([file, ...paths])]
    .filter((path) => path === file || !path.endsWith('_test.rego'))
    .map((path) => policyFile(path, nameOf(path), parse, reading));
  const needed = neededBy(files[0]!, files);
  const errors = needed.flatMap(({ parsed }) => ('type' in parsed ? [] : parsed));
  if (errors.length > 0) throw compileErrors(errors);
  const modules = new Map(needed.map(({ name, parsed }) => [name, parsed as Module]));
  return {
    modules,
    texts: new Map(needed.map(({ name, text }) => [name, text])),
    package: files[0]!.package!,
    unknownImports: [...modules.values()].flatMap((module) => unknownImports(module, files)),
  };
}

/** Where policies are looked for that an imported one may refer to. */
export function policyFolders(
  file: string,
  root: string,
  policies: string | readonly string[] | undefined,
): readonly string[] {
  return policies === undefined ? [resolve(file, '..')] : listed(policies).map((path) => resolve(root, path));
}

function policyFile(path: string, name: string, options: ParseOptions, reading: ProjectReading): PolicyFile {
  const text = reading.text(path);
  try {
    const parsed = parseModule(name, text, options);
    return { name, path, text, package: packageSegments(parsed), parsed };
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    return { name, path, text, package: packagePathIn(text), parsed: error.diagnostics };
  }
}

/** In the order of their names. A file whose package is not known may be of any. */
function neededBy(first: PolicyFile, files: readonly PolicyFile[]): readonly PolicyFile[] {
  const needed = new Set([
    first,
    ...files.filter(
      (other) => other.package !== undefined && first.package !== undefined && isSamePath(other.package, first.package),
    ),
  ]);
  for (const { parsed } of needed) {
    if (!('type' in parsed)) continue;
    const refs = dataPathsIn(parsed);
    for (const other of files)
      if (other.package === undefined || refs.some((ref) => areOnOneWay(ref, other.package!))) needed.add(other);
  }
  return [...needed].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function unknownImports(module: Module, files: readonly PolicyFile[]): readonly UnknownImport[] {
  return module.imports.flatMap(({ path: { terms, loc } }) => {
    const [head, ...keys] = terms;
    const path = leadingKeys(keys);
    if (!isRoot(head, 'data') || path.length === 0) return [];
    if (files.some((other) => other.package !== undefined && areOnOneWay(path, other.package))) return [];
    return [{ path, loc }];
  });
}

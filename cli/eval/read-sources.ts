/** Parses the policies and the query of a command line. */

import type { Body, CompileOptions, Import, Package, ParseOptions } from '../../compiler/index.js';
import { parseModule, parseQuery } from '../../compiler/index.js';
import { type Bundle, checkWasmRules, type NamedBundle } from '../../engine/index.js';
import type { LoadedFiles } from '../../engine/node.js';
import type { FlagValues } from '../flags.js';
import type { LoadOptions, ParsedFile } from '../load-policies.js';
import { checkVersionAllowed, parseLoose, parseWholeBundle } from '../load-policies.js';
import type { Timers } from './timers.js';

/** Loaded files that are not parsed yet. */
export interface UnparsedSources {
  readonly bundle: Bundle;
  readonly bundles: readonly NamedBundle[];
  readonly loose: LoadedFiles | undefined;
}

export function parseAll({ bundles, loose }: UnparsedSources, load: LoadOptions): ParsedFile[] {
  const own = loose === undefined ? [] : parseLoose(loose.modules, load);
  checkWasmRules(
    loose?.wasm ?? [],
    own.map(({ module }) => module),
  );
  return [...own, ...bundles.flatMap(({ name, bundle }) => parseWholeBundle(name, bundle, load))];
}

/** How policies are compiled for a query over them. */
export function sourceOptions(given: CompileOptions, flags: FlagValues, timers: Timers): CompileOptions {
  return {
    ...given,
    print: true,
    ...(flags.on('instrument') && { onTimer: (name: string, nanoseconds: number) => timers.add(name, nanoseconds) }),
  };
}

interface QueryText {
  readonly query: Body;
  readonly package: Package | undefined;
  readonly imports: readonly Import[];
}

/** Parses a query, and the package and the imports that it has by flags. */
export function readQueryText(text: string, load: LoadOptions, flags: FlagValues): QueryText {
  const parse: ParseOptions = {
    regoVersion: load.version === 'v1' ? 'v1' : 'v0',
    ...(load.capabilities && { capabilities: load.capabilities }),
  };
  checkVersionAllowed(load.version, load.capabilities);
  const lines = flags.all('import');
  const future = lines
    .map((line) => /^\s*future\.keywords(?:\.(\w+))?\s*$/.exec(line))
    .filter((match) => match !== null);
  const words = future.flatMap(([, word]) => word ?? []);
  const keywords = {
    ...(words.length > 0 && { futureKeywords: words }),
    ...(future.length > words.length && { allFutureKeywords: true }),
  };
  return {
    query: parseQuery(text, { ...parse, ...keywords }),
    imports: lines
      .filter((line) => !/^\s*(?:future\.keywords|rego\.v1)\b/.test(line))
      .flatMap((line) => parseImport(line, parse)),
    package: parsePackage(flags.text('package'), parse),
  };
}

function parseImport(line: string, parse: ParseOptions): readonly Import[] {
  return parseModule('', `package query\nimport ${line}`, parse).imports;
}

function parsePackage(name: string | undefined, parse: ParseOptions): Package | undefined {
  if (name === undefined || name === '') return undefined;
  return parseModule('', `package ${name}`, parse).package;
}

/** Conformance cases in the documented format (conformance/README.md), read from a folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseJson } from '../../values/json/json.js';
import { isArray, isObject, type Value } from '../../values/value.js';
import { parseYaml } from '../../values/yaml/yaml.js';

/** The fields of a case in the file; numbers keep all digits. */
export interface Case {
  readonly note: string;
  readonly query?: string;
  readonly modules?: readonly string[];
  readonly data?: Value;
  readonly input?: Value;
  readonly input_term?: string;
  readonly env?: { readonly [name: string]: string };
  readonly experimental_keywords?: boolean;
  readonly want_result?: readonly Value[];
  readonly want_plan_result?: readonly Value[] | null;
  readonly want_defined?: boolean;
  readonly want_error_code?: string;
  readonly want_error?: string;
  readonly strict_error?: boolean;
  readonly sort_bindings?: boolean;
  readonly ignore_generated_vars?: boolean;
  readonly plan?: unknown;
  readonly entrypoints?: readonly string[];
}

export interface FoundCase {
  /** The case's folder, for the report. */
  readonly family: string;
  readonly file: string;
  readonly case: Case;
}

/**
 * The folder of the conformance data: `WRIT_CONFORMANCE`, or beside the project; undefined if there
 * is none.
 */
export function conformanceFolder(): string | undefined {
  const folder = process.env.WRIT_CONFORMANCE ?? fileURLToPath(new URL('../../../shared/conformance', import.meta.url));
  return existsSync(folder) ? folder : undefined;
}

const read = new Map<string, readonly FoundCase[]>();

/**
 * All cases below a folder, in the order of file names. They are read once in a process, so that
 * `planCase` knows those that it has planned.
 */
export function readCases(folder: string): readonly FoundCase[] {
  const known = read.get(folder) ?? casesBelow(folder);
  read.set(folder, known);
  return known;
}

function casesBelow(folder: string): readonly FoundCase[] {
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((file) => /\.(json|ya?ml)$/.test(file)).sort();
  return files.flatMap((file) => {
    const path = join(folder, file);
    const document = parseCaseFile(path, readFileSync(path, 'utf8'));
    const cases = isObject(document) ? (document as { cases?: Value }).cases : undefined;
    if (cases === undefined || !isArray(cases)) throw new Error(`${path}: no list of cases`);
    const parts = relative(folder, path).split('/');
    const family = parts.length > 1 ? parts[0]! : basename(folder);
    return cases.map((one) => ({ family, file: path, case: one as unknown as Case }));
  });
}

export function parseCaseFile(path: string, text: string): Value {
  try {
    return path.endsWith('.json') ? parseJson(text) : parseYaml(text);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
}

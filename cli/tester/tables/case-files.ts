/** Tests from tables: a comment `# cases: FILE` adds a test with a result for each case. */
import { readFileSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { type Module, parseModule, printRef } from '../../../compiler/index.js';
import { fileErrorText, looseFile } from '../../../engine/node.js';
import { toJson, type Value } from '../../../values/index.js';
import type { ParsedFile } from '../../load-policies.js';
import { type CaseTable, readTable } from './case-table.js';

/** The comment of a module that names a table: a path from the module's folder. */
const mark = /^\s*cases:\s+(?<file>\S+\.(?:json|ya?ml))\s*$/;

/** The tables that a module names, with the rows of the comments. */
export function tablesOf({ file, module }: ParsedFile): readonly { readonly path: string; readonly row: number }[] {
  return module.comments.flatMap(({ text, loc }) => {
    const name = mark.exec(text)?.groups?.file;
    return name === undefined ? [] : [{ path: join(dirname(file.path), name), row: loc.row }];
  });
}

/** The files with a module for each table that they name. Rejects with an Error with a place. */
export async function withTables(parsed: readonly ParsedFile[]): Promise<readonly ParsedFile[]> {
  const tables: ParsedFile[] = [];
  for (const each of parsed) {
    for (const { path, row } of tablesOf(each)) {
      try {
        tables.push(moduleOf(path, readTable(await documentOf(path)), each.module));
      } catch (error) {
        throw new Error(`${each.file.path}:${row}: cases: ${(error as Error).message}`, { cause: error });
      }
    }
  }
  return [...parsed, ...tables];
}

async function documentOf(path: string): Promise<Value> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(fileErrorText(error), { cause: error });
  }
  const read = await looseFile(path, bytes);
  if (read === undefined || !('document' in read)) throw new Error(`${path}: it is no document`);
  return read.document;
}

function moduleOf(path: string, { decision, cases }: CaseTable, { package: of }: Module): ParsedFile {
  const stem = parse(path).name.replaceAll(/\W+/g, '_');
  const asked = `data${decision.map((name) => `[${toJson(name)}]`).join('')}`;
  const table = Object.fromEntries(cases.map(({ name, input, accepts }) => [name, { input, accepts }]));
  const text = `package ${printRef(of.path).replace(/^data\.?/, '')}

test_cases_${stem}[name] if {
	some name, case in ${toJson(table as unknown as Value)}
	[answer | answer := ${asked} with input as case.input] in case.accepts
}
`;
  const file = { path, url: path, bundlePath: path, text, bytes: new TextEncoder().encode(text) };
  return {
    name: `${path} of ${printRef(of.path)}`,
    file,
    module: parseModule(path, text, { regoVersion: 'v1' }),
    isTable: true,
  };
}

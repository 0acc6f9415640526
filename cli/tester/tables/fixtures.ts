/** Documents of a folder for tests, below `data.fixtures`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { mergeDocuments, treeDocumentAt } from '../../../engine/index.js';
import { fileErrorText, looseFile } from '../../../engine/node.js';
import type { PlainObject } from '../../../values/index.js';

/** The documents with those of the folder. Rejects with an Error that names the file. */
export async function withFixtures(data: PlainObject, folder: string): Promise<PlainObject> {
  const fixtures = await fixturesIn(folder, []);
  const merged = mergeDocuments(data, treeDocumentAt(['fixtures'], fixtures) ?? {});
  if (merged === undefined) throw new Error(`${folder}: the loaded data have data.fixtures already`);
  return merged;
}

/** `orders/large.json` is `data.fixtures.orders.large`; files of other kinds are passed over. */
async function fixturesIn(folder: string, path: readonly string[]): Promise<PlainObject> {
  let documents: PlainObject = {};
  for (const entry of entriesOf(folder)) {
    const file = join(folder, entry.name);
    if (entry.isDirectory()) {
      const inner = await fixturesIn(file, [...path, entry.name]);
      documents = added(documents, entry.name, inner, file);
      continue;
    }
    if (!/\.(?:json|ya?ml)$/.test(entry.name)) continue;
    const read = await looseFile(file, bytesOf(file));
    if (read !== undefined && 'document' in read)
      documents = added(documents, parse(entry.name).name, read.document, file);
  }
  return documents;
}

function added(documents: PlainObject, name: string, value: PlainObject[string], file: string): PlainObject {
  const merged = mergeDocuments(documents, Object.fromEntries([[name, value]]));
  if (merged === undefined) throw new Error(`${file}: another file has the same name but for its ending`);
  return merged;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw new Error(fileErrorText(error), { cause: error });
  }
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(fileErrorText(error), { cause: error });
  }
}

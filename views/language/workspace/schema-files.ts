/** JSON Schemas of a workspace: files of its folder `schemas`, by their names in METADATA. */

import { parseYaml } from '../../../values/index.js';

/** The folders of a project in which its schemas are, where the editor states none. */
const schemaFolders = ['schemas', 'schema'];

/** The folder of a path that schemas are in; undefined for other files. */
export function schemaFolderOf(name: string, stated: string | undefined): string | undefined {
  if (!/\.json$/.test(name) || /(?:^|\/)(?:data|input)\.json$/.test(name)) return undefined;
  const folders = stated === undefined ? schemaFolders : [stated.replace(/^\.\/|\/$/g, '')];
  return folders.find((folder) => name.startsWith(`${folder}/`));
}

/** `schema.request` of `schemas/request.json`. */
export function schemaNameOf(name: string, folder: string): string {
  return ['schema', ...name.slice(folder.length + 1, -'.json'.length).split('/')].join('.');
}

const parsed = new WeakMap<object, unknown>();

/** The schema in a file; undefined where that is no JSON. */
export function schemaIn(file: { readonly text: string }): unknown {
  if (!parsed.has(file)) parsed.set(file, parse(file.text));
  return parsed.get(file);
}

function parse(text: string): unknown {
  try {
    const schema = parseYaml(text);
    return typeof schema === 'object' && schema !== null ? schema : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Schemas by name. A name without a file admits all documents: the project may keep its schemas in
 * several folders.
 */
export class KnownSchemas extends Map<string, unknown> {
  override get(name: string): unknown {
    return super.get(name) ?? (name === 'schema' ? undefined : true);
  }
}

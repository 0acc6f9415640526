/** Where `$ref` leads: the documents known to a compilation, by address. */
import { objectGet } from '../../../compare.js';
import { fragmentSegment } from '../../../json/json-pointer.js';
import { metaSchemaOf, type SchemaDraft, schemaDraftOf } from './drafts.js';
import { isJsonObject, type JsonObject, SchemaError, type SchemaJson } from './schema.js';

interface Found {
  readonly document: SchemaJson;
  readonly draft: SchemaDraft | undefined;
}

/** Fetches the document of an absolute address. Throws a BuiltinError where that is not allowed. */
type RemoteLoader = (address: string) => SchemaJson;

/** A copy of a schema with absolute references, and the pool that resolves them. */
export class ReferencePool {
  readonly #documents = new Map<string, Found>();
  readonly #load: RemoteLoader;

  constructor(load: RemoteLoader) {
    this.#load = load;
  }

  /**
   * Adds a document to the pool under its address, and its parts under their ids. Returns the copy.
   */
  add(document: SchemaJson, address: string): Found {
    const draft = schemaDraftOf(document);
    const found = { document: this.#resolve(document, address, draft), draft };
    this.#documents.set(address, found);
    return found;
  }

  /** Throws a SchemaError where there is nothing. */
  find(reference: string): Found {
    const known = this.#documents.get(reference);
    if (known !== undefined) return known;
    const hash = reference.indexOf('#');
    const address = hash < 0 ? reference : reference.slice(0, hash);
    const fragment = hash < 0 ? '' : reference.slice(hash + 1);
    let whole = this.#documents.get(address);
    if (whole === undefined) {
      if (!isAbsolute(address)) throw new SchemaError(`Reference ${reference} must be canonical`);
      if (address.startsWith('file:')) throw new SchemaError(`file reference loading disabled: ${reference}`);
      whole = this.add(metaSchemaOf(address) ?? this.#load(address), address);
    }
    const found = { document: follow(whole.document, fragment), draft: whole.draft };
    this.#documents.set(reference, found);
    return found;
  }

  #resolve(node: SchemaJson, base: string, draft: SchemaDraft | undefined): SchemaJson {
    if (Array.isArray(node)) return node.map((member) => this.#resolve(member, base, draft));
    if (!isJsonObject(node)) return node;
    const id = node[Object.hasOwn(node, 'id') ? 'id' : '$id'];
    const scope = typeof id === 'string' ? resolveReference(base, id) : base;
    const entries: [string, SchemaJson][] = [];
    for (const [key, member] of Object.entries(node)) {
      if (key === '$ref' && typeof member === 'string') entries.push([key, resolveReference(scope, member)]);
      else if (key === 'const' || key === 'enum') entries.push([key, member]);
      // Keys of the document itself are no keywords.
      else if (
        (key === 'properties' || key === 'dependencies' || key === 'patternProperties') &&
        isJsonObject(member)
      ) {
        entries.push([
          key,
          Object.fromEntries(Object.entries(member).map(([name, child]) => [name, this.#resolve(child, scope, draft)])),
        ]);
      } else entries.push([key, this.#resolve(member, scope, draft)]);
    }
    const copy = Object.fromEntries(entries) as JsonObject;
    if (typeof id === 'string' && scope !== '' && !this.#documents.has(scope))
      this.#documents.set(scope, { document: copy, draft });
    return copy;
  }
}

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** The host of relative addresses, which have none of their own. */
const nowhere = 'http://nowhere.invalid';

function isAbsolute(reference: string): boolean {
  return scheme.test(reference);
}

function resolveReference(base: string, reference: string): string {
  const trimmed = reference.endsWith('#') ? reference.slice(0, -1) : reference;
  const hash = base.indexOf('#');
  const document = hash < 0 ? base : base.slice(0, hash);
  if (trimmed === '' || trimmed.startsWith('#')) return document + trimmed;
  if (isAbsolute(trimmed)) return trimmed;
  try {
    return isAbsolute(document)
      ? new URL(trimmed, document).href
      : new URL(trimmed, new URL(document, nowhere)).href.slice(nowhere.length);
  } catch {
    return trimmed;
  }
}

/** The value at a JSON pointer in a fragment. */
function follow(document: SchemaJson, fragment: string): SchemaJson {
  // A fragment that is no pointer and no known id leads to the whole document, as in the reference.
  if (!fragment.startsWith('/')) return document;
  let node = document;
  for (const part of fragment.slice(1).split('/')) {
    const token = fragmentSegment(part);
    if (Array.isArray(node)) {
      const index = /^\d+$/.test(token) ? Number(token) : -1;
      if (index < 0) throw new SchemaError(`Invalid array index '${token}'`);
      const element = (node as readonly SchemaJson[])[index];
      if (element === undefined) throw new SchemaError(`Out of bound array[0,${node.length}] index '${index}'`);
      node = element;
    } else if (isJsonObject(node)) {
      const member = objectGet(node, token);
      if (member === undefined) throw new SchemaError(`Object has no key '${token}'`);
      node = member;
    } else throw new SchemaError(`Invalid token reference '${token}'`);
  }
  return node;
}

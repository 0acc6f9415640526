/** The schemas that apply to rules: by `--schema`, and by annotations. */

import { BuiltinError, type Value } from '../../../values/index.js';
import { isRootName } from '../../ast/names.js';
import type { Ref, Rule, SchemaAnnotation, Term } from '../../ast/nodes.js';
import { printRef } from '../../ast/print.js';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostics.js';
import { type AnnotatedRule, type AnnotationSet, annotationChain } from '../../resolve/annotation-set.js';
import type { CompileOptions } from '../../resolve/compile-options.js';
import type { CompiledRule } from '../../resolve/compiled-rule.js';
import { sortProperties } from './compare-types.js';
import { jsonOfTerm } from './constant-terms.js';
import { type Globals, TypeScope } from './env.js';
import { typeOfSchemaDocument } from './schema-source.js';
import { selectType } from './select.js';
import { TypeTree } from './tree.js';
import { anything, emptyProperties, type ObjectType, objectType, type Properties, type Type } from './type.js';

interface DescribedDocuments {
  readonly documents: ReadonlyMap<string, TypeTree> | undefined;
  readonly errors: readonly Diagnostic[];
}

const nothing: DescribedDocuments = { documents: undefined, errors: [] };

/** The name of the schema for the whole of `input`. */
const inputSchema = 'schema';

export class RuleSchemas {
  readonly #options: CompileOptions;
  readonly #annotations: AnnotationSet;
  readonly #admitted: boolean;
  /** Whether there are none but those of rules. */
  readonly #hasNone: boolean;
  /** Types of schemas by name; the error's sentence for wrong ones. */
  readonly #known = new Map<string, Type | string>();
  /** As `#known`, for schemas that annotations write out. */
  readonly #written = new Map<SchemaAnnotation, Type | string>();

  /** @param admitted whether types have all values that schemas admit: see `admitted-type.ts` */
  constructor(options: CompileOptions, annotations: AnnotationSet, admitted = false) {
    this.#options = options;
    this.#admitted = admitted;
    this.#annotations = annotations;
    this.#hasNone = annotations.byDocument.size + annotations.byPackage.size + annotations.bySubpackages.size === 0;
  }

  /** The type of `input` for all rules and queries, or the fault of its schema. */
  input(): Type | Diagnostic | undefined {
    const document = this.#options.schemas?.get(inputSchema);
    if (document === undefined) return undefined;
    const type = this.#load(document);
    return typeof type === 'string' ? diagnose('schema', undefined, { reason: type }) : type;
  }

  /**
   * The documents that a link's annotations describe; where they overlap, the nearest annotation
   * counts.
   */
  documents(rule: CompiledRule, link: Rule, globals: Globals): DescribedDocuments {
    const annotations = this.of(rule, link);
    if (annotations.length === 0) return nothing;
    const documents = new Map<string, TypeTree>();
    const errors: Diagnostic[] = [];
    const scope = new TypeScope(globals, () => undefined, undefined, documents);
    for (const annotation of annotations) {
      const type = this.#typeOf(annotation);
      if (type === undefined) continue;
      if (typeof type === 'string') errors.push(diagnose('schema', link.loc, { reason: type }));
      else describe(annotation.path.terms, type, scope, documents);
    }
    return { documents, errors };
  }

  /** The schema annotations that apply to a link, from far to near. */
  of(rule: AnnotatedRule, link: Rule): readonly SchemaAnnotation[] {
    if (this.#options.schemaAnnotations !== true || (this.#hasNone && link.annotations.length === 0)) return [];
    return annotationChain(link, rule, this.#annotations)
      .toReversed()
      .flatMap(({ annotations }) => annotations?.schemas ?? []);
  }

  /** Undefined for the name of a schema where there are no schemas at all. */
  #typeOf(annotation: SchemaAnnotation): Type | string | undefined {
    const { schema } = annotation;
    if (!schema) return remember(this.#written, annotation, () => this.#load(annotation.definition));
    const { schemas } = this.#options;
    if (!schemas) return undefined;
    const name = schemaName(schema.terms);
    return remember(this.#known, name, () => {
      const document = schemas.get(name);
      return document === undefined ? `undefined schema: ${name}` : this.#load(document);
    });
  }

  #load(document: unknown): Type | string {
    try {
      return typeOfSchemaDocument(document, this.#options.capabilities?.allow_net, this.#admitted);
    } catch (error) {
      if (error instanceof BuiltinError) return error.message;
      throw error;
    }
  }
}

function remember<Key>(memory: Map<Key, Type | string>, key: Key, find: () => Type | string): Type | string {
  let known = memory.get(key);
  if (known === undefined) memory.set(key, (known = find()));
  return known;
}

/**
 * Gives a document a type: the document itself, or a part of the nearest one around it of which
 * something is known.
 */
function describe(terms: Ref, type: Type, scope: TypeScope, documents: Map<string, TypeTree>): void {
  const [head] = terms;
  if (head.type !== 'var' || !isRootName(head.name)) return;
  const around = terms.length === 1 ? undefined : scope.typeOfRef({ terms: [head] });
  const tree = new TypeTree();
  tree.type = terms.length === 1 ? type : override(around, terms, 1, type);
  documents.set(head.name, tree);
}

/** The type with another one at the end of a path. */
function override(type: Type | undefined, path: readonly Term[], at: number, end: Type): ObjectType {
  const key = path[at]!;
  const name = jsonOfTerm(key);
  const object = type?.kind === 'object' ? type : undefined;
  const rest: Properties | undefined = object ? object.rest : emptyProperties;
  if (name === undefined) return objectType(object?.fixed ?? [], { key: anything, value: anything });
  const known = object?.fixed.some((property) => isKey(property.key, key)) ? selectType(object, name) : undefined;
  const value =
    at === path.length - 1 ? end : known ? override(known, path, at + 1, end) : nested(path, at + 1, end, rest);
  return objectType(sortProperties([...(object?.fixed ?? []), { key: name, type: value }]), rest);
}

/** Objects within objects that lead to a type; other keys may have the type of `rest`. */
function nested(path: readonly Term[], at: number, end: Type, rest: Properties | undefined): Type {
  let type = end;
  for (const term of path.slice(at).reverse()) {
    const key: Value | undefined = jsonOfTerm(term);
    type = key === undefined ? objectType([], emptyProperties) : objectType([{ key, type }], rest);
  }
  return type;
}

function isKey(key: Value, term: Term): boolean {
  const value = jsonOfTerm(term);
  return typeof key === 'string' ? key === value : JSON.stringify(key) === JSON.stringify(value);
}

/** The path as files have it: `schema.in`, though `in` is a keyword. */
export function schemaName(terms: readonly Term[]): string {
  const isPlain = (term: Term): boolean => term.type === 'string' && /^\w+$/.test(term.value);
  return terms.slice(1).every(isPlain)
    ? terms.map((term) => ('value' in term ? term.value : 'schema')).join('.')
    : printRef(terms);
}

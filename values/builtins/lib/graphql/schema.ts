/**
 * A schema's syntax tree → its types and directives, extensions merged in, checked as the reference
 * checks them.
 */
import { compareStrings } from '../../../compare.js';
import type { DirectiveDefinition, GraphqlDefinition, OperationTypeDefinition, SchemaDocument } from './ast.js';
import { checkDirectives } from './directive-rules.js';
import { GraphqlError } from './graphql-errors.js';
import { prelude } from './prelude.js';
import { SchemaIndex } from './schema-index.js';
import { checkDirectiveDefinition, checkType } from './type-rules.js';

export interface GraphqlSchema {
  readonly types: ReadonlyMap<string, GraphqlDefinition>;
  readonly directives: ReadonlyMap<string, DirectiveDefinition>;
  /** The type that each kind of operation starts from: `query` → `Query`. */
  readonly roots: ReadonlyMap<string, string>;
}

/** Throws a GraphqlError at the first mistake. `tick` counts the types. */
export function buildSchema(document: SchemaDocument, tick: (units: number) => void): GraphqlSchema {
  const types = collectTypes(document);
  const directives = collectDirectives(document);
  const index = new SchemaIndex(types, directives);
  const roots = collectRoots(document, index);
  for (const type of sortedByName(types)) {
    tick(unitsPerField * (1 + type.Fields.length));
    checkType(type, index);
  }
  for (const directive of sortedByName(directives)) checkDirectiveDefinition(directive, index);
  if (document.Schema.length === 0) {
    for (const [operation, name] of [
      ['query', 'Query'],
      ['mutation', 'Mutation'],
      ['subscription', 'Subscription'],
    ] as const) {
      if (!roots.has(operation) && types.has(name)) roots.set(operation, name);
    }
  }
  return { types, directives, roots };
}

/** Units for a field of a type that is checked. */
const unitsPerField = 50;

function sortedByName<T extends { readonly Name: string }>(definitions: ReadonlyMap<string, T>): readonly T[] {
  return [...definitions.values()].sort((a, b) => compareStrings(a.Name, b.Name));
}

function collectTypes(document: SchemaDocument): Map<string, GraphqlDefinition> {
  const types = new Map<string, GraphqlDefinition>();
  for (const definition of [...prelude.Definitions, ...document.Definitions]) {
    if (types.has(definition.Name))
      throw new GraphqlError(`Cannot redeclare type ${definition.Name}.`, definition.Position);
    types.set(definition.Name, definition);
  }
  // Several extensions of one type cost no more than their parts.
  const extended = new Map<string, ExtensibleDefinition>();
  for (const extension of document.Extensions) {
    const { Kind, Name, Position } = extension;
    let base = extended.get(Name);
    if (base === undefined) {
      const original = types.get(Name) ?? {
        ...extension,
        BuiltIn: false,
        Directives: [],
        Interfaces: [],
        Fields: [],
        Types: [],
        EnumValues: [],
      };
      base = { ...original } as ExtensibleDefinition;
      for (const part of extensibleParts) base[part] = [...(original[part] ?? [])];
      extended.set(Name, base);
      types.set(Name, base as GraphqlDefinition);
    }
    if (base.Kind !== Kind) {
      throw new GraphqlError(
        `Cannot extend type ${Name} because the base type is a ${base.Kind}, not ${Kind}.`,
        Position,
      );
    }
    for (const part of extensibleParts) for (const member of extension[part] ?? []) base[part].push(member);
  }
  return types;
}

const extensibleParts = ['Directives', 'Interfaces', 'Fields', 'Types', 'TypePositions', 'EnumValues'] as const;
type ExtensiblePart = (typeof extensibleParts)[number];
type ExtensibleDefinition = Omit<GraphqlDefinition, ExtensiblePart> & { [part in ExtensiblePart]: unknown[] };

const redeclarable: ReadonlySet<string> = new Set(['include', 'skip', 'deprecated', 'specifiedBy', 'defer', 'oneOf']);

function collectDirectives(document: SchemaDocument): Map<string, DirectiveDefinition> {
  const directives = new Map(prelude.Directives.map((directive) => [directive.Name, directive]));
  for (const directive of document.Directives) {
    const { Name, Position } = directive;
    if (directives.has(Name) && !redeclarable.has(Name))
      throw new GraphqlError(`Cannot redeclare directive ${Name}.`, Position);
    directives.set(Name, directive);
  }
  return directives;
}

function collectRoots(document: SchemaDocument, index: SchemaIndex): Map<string, string> {
  const second = document.Schema[1];
  if (second !== undefined) {
    throw new GraphqlError(
      'Cannot have multiple schema entry points, consider schema extensions instead.',
      second.Position,
    );
  }
  const roots = new Map<string, string>();
  const add = ({ Operation, Type, Position }: OperationTypeDefinition) => {
    if (!index.types.has(Type))
      throw new GraphqlError(`Schema root ${Operation} refers to a type ${Type} that does not exist.`, Position);
    roots.set(Operation, Type);
  };
  for (const definition of [...document.Schema, ...document.SchemaExtension]) {
    definition.OperationTypes.forEach(add);
    checkDirectives(definition.Directives, 'SCHEMA', index);
  }
  return roots;
}

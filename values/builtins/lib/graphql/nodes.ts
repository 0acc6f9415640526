/**
 * Converts our syntax trees to those of the `graphql` package, whose rules validate queries. Each
 * node has the position that the reference reports for its errors, which may differ from that of
 * the package.
 */
import type { DocumentNode } from 'graphql';
import {
  type Argument,
  type GraphqlDirective,
  type GraphqlType,
  type InputDefinition,
  type Literal,
  literalKind,
  type QueryDocument,
  type Selection,
} from './ast.js';
import type { GraphqlPosition } from './lexer.js';
import { prelude } from './prelude.js';
import type { GraphqlSchema } from './schema.js';

/** A node of the package's, made by hand: its types want more than its rules read. */
export interface GraphqlNode {
  readonly kind: string;
  readonly position?: GraphqlPosition | undefined;
  /** The position of the field or directive that has the argument. */
  readonly owner?: GraphqlPosition | undefined;
  readonly [part: string]: unknown;
}

const preludeTypes: ReadonlySet<string> = new Set(prelude.Definitions.map(({ Name }) => Name));
const packageDirectives: ReadonlySet<string> = new Set(['include', 'skip', 'deprecated', 'specifiedBy', 'oneOf']);

export function queryNodes(document: QueryDocument): DocumentNode {
  const operations = document.Operations.map((operation) => {
    const { Position: position } = operation;
    return {
      kind: 'OperationDefinition',
      operation: operation.Operation,
      name: operation.Name === '' ? undefined : name(operation.Name, position),
      variableDefinitions: operation.VariableDefinitions.map((definition) => ({
        kind: 'VariableDefinition',
        variable: {
          kind: 'Variable',
          name: name(definition.Variable, definition.Position),
          position: definition.Position,
        },
        type: type(definition.Type, definition.Position),
        defaultValue: definition.DefaultValue === null ? undefined : literal(definition.DefaultValue),
        directives: directives(definition.Directives),
        position: definition.Position,
      })),
      directives: directives(operation.Directives),
      selectionSet: selectionSet(operation.SelectionSet, position),
      position,
    };
  });
  const fragments = document.Fragments.map((fragment) => {
    const { Position: position } = fragment;
    return {
      kind: 'FragmentDefinition',
      name: name(fragment.Name, position),
      typeCondition: namedType(fragment.TypeCondition, position),
      directives: directives(fragment.Directives),
      selectionSet: selectionSet(fragment.SelectionSet, position),
      position,
    };
  });
  return { kind: 'Document', definitions: [...operations, ...fragments] } as unknown as DocumentNode;
}

/** A checked schema, without the package's own definitions. */
export function schemaNodes(schema: GraphqlSchema): DocumentNode {
  const definitions: GraphqlNode[] = [];
  for (const type of schema.types.values()) {
    if (preludeTypes.has(type.Name)) continue;
    definitions.push({
      kind: definitionKinds[type.Kind] ?? 'ScalarTypeDefinition',
      name: name(type.Name),
      directives: directives(type.Directives),
      interfaces: type.Interfaces.map((of) => namedType(of)),
      types: type.Types.map((of) => namedType(of)),
      values: type.EnumValues.map((value) => ({
        kind: 'EnumValueDefinition',
        name: name(value.Name),
        directives: directives(value.Directives),
      })),
      fields:
        type.Kind === 'INPUT_OBJECT'
          ? type.Fields.map(inputValue)
          : type.Fields.map((field) => ({
              ...inputValue(field),
              kind: 'FieldDefinition',
              arguments: field.Arguments.map(inputValue),
            })),
    });
  }
  for (const directive of schema.directives.values()) {
    if (packageDirectives.has(directive.Name)) continue;
    definitions.push({
      kind: 'DirectiveDefinition',
      name: name(directive.Name),
      arguments: directive.Arguments.map(inputValue),
      repeatable: directive.IsRepeatable,
      locations: directive.Locations.map((location) => name(location)),
    });
  }
  const operationTypes = [...schema.roots].map(([operation, of]) => ({
    kind: 'OperationTypeDefinition',
    operation,
    type: namedType(of),
  }));
  definitions.push({ kind: 'SchemaDefinition', operationTypes });
  return { kind: 'Document', definitions } as unknown as DocumentNode;
}

const definitionKinds: Readonly<Record<string, string>> = {
  SCALAR: 'ScalarTypeDefinition',
  OBJECT: 'ObjectTypeDefinition',
  INTERFACE: 'InterfaceTypeDefinition',
  UNION: 'UnionTypeDefinition',
  ENUM: 'EnumTypeDefinition',
  INPUT_OBJECT: 'InputObjectTypeDefinition',
};

function name(value: string, position?: GraphqlPosition): GraphqlNode {
  return { kind: 'Name', value, position };
}

function namedType(of: string, position?: GraphqlPosition): GraphqlNode {
  return { kind: 'NamedType', name: name(of, position), position };
}

function type(of: GraphqlType | null, position?: GraphqlPosition): GraphqlNode {
  if (of === null) return namedType('', position);
  const inner =
    of.Elem === null
      ? namedType(of.NamedType, position)
      : { kind: 'ListType', type: type(of.Elem, position), position };
  return of.NonNull ? { kind: 'NonNullType', type: inner, position } : inner;
}

function inputValue(definition: InputDefinition): GraphqlNode {
  return {
    kind: 'InputValueDefinition',
    name: name(definition.Name),
    type: type(definition.Type),
    defaultValue: definition.DefaultValue === null ? undefined : literal(definition.DefaultValue),
    directives: directives(definition.Directives),
  };
}

function directives(list: readonly GraphqlDirective[]): GraphqlNode[] {
  return list.map(({ Name, Arguments, Position: position }) => ({
    kind: 'Directive',
    name: name(Name, position),
    arguments: Arguments.map((argument) => namedLiteral('Argument', argument, position)),
    position,
  }));
}

function namedLiteral(kind: 'Argument' | 'ObjectField', argument: Argument, owner?: GraphqlPosition): GraphqlNode {
  const { Name, Value, Position: position } = argument;
  return {
    kind,
    name: name(Name, position),
    value: Value === null ? { kind: 'NullValue', position } : literal(Value),
    position,
    owner,
  };
}

function literal(value: Literal): GraphqlNode {
  const { Raw, Kind, Children, Position: position } = value;
  switch (Kind) {
    case literalKind.variable:
      return { kind: 'Variable', name: name(Raw, position), position };
    case literalKind.int:
      return { kind: 'IntValue', value: Raw, position };
    case literalKind.float:
      return { kind: 'FloatValue', value: Raw, position };
    case literalKind.string:
    case literalKind.block:
      return { kind: 'StringValue', value: Raw, block: Kind === literalKind.block, position };
    case literalKind.boolean:
      return { kind: 'BooleanValue', value: Raw === 'true', position };
    case literalKind.enum:
      return { kind: 'EnumValue', value: Raw, position };
    case literalKind.list:
      return {
        kind: 'ListValue',
        values: Children.map((child) => (child.Value === null ? { kind: 'NullValue' } : literal(child.Value))),
        position,
      };
    case literalKind.object:
      return { kind: 'ObjectValue', fields: Children.map((child) => namedLiteral('ObjectField', child)), position };
    default:
      return { kind: 'NullValue', position };
  }
}

function selectionSet(selections: readonly Selection[], position: GraphqlPosition | undefined): GraphqlNode {
  return { kind: 'SelectionSet', selections: withoutRepeats(selections).map(selection), position };
}

const manySelections = 100;

/**
 * A field that is selected again says nothing new, but fields are compared pair by pair: where they
 * are many, the repeats are left out.
 */
function withoutRepeats(selections: readonly Selection[]): readonly Selection[] {
  if (selections.length <= manySelections) return selections;
  const seen = new Set<string>();
  return selections.filter((node) => {
    if (!('Alias' in node) || node.Arguments.length + node.Directives.length + node.SelectionSet.length > 0)
      return true;
    const key = `${node.Alias}:${node.Name}`;
    return !seen.has(key) && seen.add(key);
  });
}

function selection(node: Selection): GraphqlNode {
  const { Position: position } = node;
  if ('Alias' in node) {
    return {
      kind: 'Field',
      alias: node.Alias === node.Name || node.Alias === '' ? undefined : name(node.Alias, position),
      name: name(node.Name, position),
      arguments: node.Arguments.map((argument) => namedLiteral('Argument', argument, position)),
      directives: directives(node.Directives),
      selectionSet: node.SelectionSet.length === 0 ? undefined : selectionSet(node.SelectionSet, position),
      position,
    };
  }
  if ('TypeCondition' in node) {
    return {
      kind: 'InlineFragment',
      typeCondition: node.TypeCondition === '' ? undefined : namedType(node.TypeCondition, position),
      directives: directives(node.Directives),
      selectionSet: selectionSet(node.SelectionSet, position),
      position,
    };
  }
  return { kind: 'FragmentSpread', name: name(node.Name, position), directives: directives(node.Directives), position };
}

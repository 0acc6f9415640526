/** The types and directives of every GraphQL schema. */
import type { DirectiveDefinition, GraphqlDefinition, GraphqlType, InputDefinition, SchemaDocument } from './ast.js';

function type(text: string): GraphqlType {
  if (text.endsWith('!')) return { ...type(text.slice(0, -1)), NonNull: true };
  if (text.startsWith('[')) return { NamedType: '', Elem: type(text.slice(1, -1)), NonNull: false };
  return { NamedType: text, Elem: null, NonNull: false };
}

function input(Name: string, typeText: string): InputDefinition {
  return { Description: '', Name, Type: type(typeText), DefaultValue: null, Directives: [] };
}

function directive(Name: string, args: readonly InputDefinition[], locations: string): DirectiveDefinition {
  return { Description: '', Name, Arguments: args, Locations: locations.split(' | '), IsRepeatable: false };
}

function builtIn(Kind: string, Name: string): GraphqlDefinition {
  return {
    Kind,
    Description: '',
    Name,
    Directives: [],
    Interfaces: [],
    Fields: [],
    Types: [],
    EnumValues: [],
    BuiltIn: true,
  };
}

const selections = 'FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT';

/** The scalars, the types of introspection (by name and kind) and the directives. */
export const prelude: Pick<SchemaDocument, 'Definitions' | 'Directives'> = {
  Definitions: [
    ...['Int', 'Float', 'String', 'Boolean', 'ID'].map((name) => builtIn('SCALAR', name)),
    ...['__Schema', '__Type', '__Field', '__InputValue', '__EnumValue', '__Directive'].map((name) =>
      builtIn('OBJECT', name),
    ),
    ...['__TypeKind', '__DirectiveLocation'].map((name) => builtIn('ENUM', name)),
  ],
  Directives: [
    directive('include', [input('if', 'Boolean!')], selections),
    directive('skip', [input('if', 'Boolean!')], selections),
    directive(
      'deprecated',
      [input('reason', 'String')],
      'FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE',
    ),
    directive('specifiedBy', [input('url', 'String!')], 'SCALAR'),
    directive('defer', [input('if', 'Boolean'), input('label', 'String')], 'FRAGMENT_SPREAD | INLINE_FRAGMENT'),
    directive('oneOf', [], 'INPUT_OBJECT'),
  ],
};

/** Text of a schema → its syntax tree. */
import type {
  Definition,
  Directive,
  DirectiveDefinition,
  EnumValueDefinition,
  FieldDefinition,
  InputDefinition,
  OperationTypeDefinition,
  SchemaDefinition,
  SchemaDocument,
} from './ast.js';
import { type ParseLimits, Parser } from './parser.js';

/** The tree of a document of type definitions and extensions. Throws a GraphqlError. */
export function parseSchema(text: string, limits: ParseLimits): SchemaDocument {
  const parser = new Parser(text, limits);
  const document: SchemaDocument = { Schema: [], SchemaExtension: [], Directives: [], Definitions: [], Extensions: [] };
  while (parser.peek().kind !== '<EOF>') definition(parser, document);
  return document;
}

function definition(parser: Parser, document: SchemaDocument): void {
  const text = description(parser);
  const described = text === '' ? undefined : parser.taken;
  const token = parser.peek();
  if (token.kind !== 'Name') parser.unexpected();
  if (token.value === 'schema') document.Schema.push(schemaDefinition(parser, text));
  else if (token.value === 'directive') document.Directives.push(directiveDefinition(parser, text));
  else if (token.value === 'extend') {
    if (described !== undefined) parser.unexpected(described);
    parser.take();
    if (parser.isKeyword('schema')) document.SchemaExtension.push(schemaExtension(parser));
    else document.Extensions.push(typeExtension(parser));
  } else document.Definitions.push(typeDefinition(parser, text));
}

function description(parser: Parser): string {
  const { kind } = parser.peek();
  return kind === 'String' || kind === 'BlockString' ? parser.take().value : '';
}

function schemaDefinition(parser: Parser, Description: string): SchemaDefinition {
  parser.expectKeyword('schema');
  const Position = parser.position();
  const Directives = parser.directives(true);
  return { Description, Directives, OperationTypes: operationTypes(parser), Position };
}

function schemaExtension(parser: Parser): SchemaDefinition {
  const extension = schemaDefinition(parser, '');
  if (extension.Directives.length === 0 && extension.OperationTypes.length === 0) parser.unexpected();
  return extension;
}

function operationTypes(parser: Parser): OperationTypeDefinition[] {
  return parser.some('{', '}', () => {
    const Position = parser.position();
    const Operation = parser.operationType();
    parser.expect(':');
    return { Operation, Type: parser.name(), Position };
  });
}

const kinds: Readonly<Record<string, string>> = {
  scalar: 'SCALAR',
  type: 'OBJECT',
  interface: 'INTERFACE',
  union: 'UNION',
  enum: 'ENUM',
  input: 'INPUT_OBJECT',
};

function typeDefinition(parser: Parser, Description: string): Definition {
  const { value } = parser.peek();
  const Kind = Object.hasOwn(kinds, value) ? kinds[value]! : parser.unexpected();
  parser.take();
  const Position = parser.position();
  const Name = parser.name();
  const Interfaces = Kind === 'OBJECT' || Kind === 'INTERFACE' ? interfaces(parser) : [];
  const Directives = parser.directives(true);
  let Fields: readonly FieldDefinition[] = [];
  let Types: readonly string[] = [];
  let EnumValues: readonly EnumValueDefinition[] = [];
  if (Kind === 'OBJECT' || Kind === 'INTERFACE') Fields = parser.some('{', '}', () => fieldDefinition(parser));
  else if (Kind === 'INPUT_OBJECT') Fields = parser.some('{', '}', () => ({ Arguments: [], ...inputDefinition(parser) }));
  else if (Kind === 'UNION') Types = unionMembers(parser);
  else if (Kind === 'ENUM') EnumValues = parser.some('{', '}', () => enumValue(parser));
  return { Kind, Description, Name, Directives, Interfaces, Fields, Types, EnumValues, BuiltIn: false, Position };
}

function typeExtension(parser: Parser): Definition {
  const extension = typeDefinition(parser, '');
  const { Interfaces, Directives, Fields, Types, EnumValues } = extension;
  if (![Interfaces, Directives, Fields, Types, EnumValues].some((part) => part.length > 0)) parser.unexpected();
  return extension;
}

function interfaces(parser: Parser): string[] {
  if (parser.peek().value !== 'implements') return [];
  parser.take();
  parser.skip('&');
  const names = [parser.name()];
  while (parser.skip('&')) names.push(parser.name());
  return names;
}

function unionMembers(parser: Parser): string[] {
  if (!parser.skip('=')) return [];
  parser.skip('|');
  const names = [parser.name()];
  while (parser.skip('|')) names.push(parser.name());
  return names;
}

function fieldDefinition(parser: Parser): FieldDefinition {
  const Position = parser.position();
  const Description = description(parser);
  const Name = parser.name();
  const Arguments = parser.some('(', ')', () => inputDefinition(parser));
  parser.expect(':');
  const Type = parser.type();
  return { Description, Name, Arguments, DefaultValue: null, Type, Directives: parser.directives(true), Position };
}

function inputDefinition(parser: Parser): InputDefinition {
  const Position = parser.position();
  const Description = description(parser);
  const Name = parser.name();
  parser.expect(':');
  const Type = parser.type();
  const DefaultValue = parser.skip('=') ? parser.literal(true) : null;
  return { Description, Name, DefaultValue, Type, Directives: parser.directives(true), Position };
}

function enumValue(parser: Parser): EnumValueDefinition {
  const Position = parser.position();
  const Description = description(parser);
  const Name = parser.name();
  const Directives: readonly Directive[] = parser.directives(true);
  return { Description, Name, Directives, Position };
}

const locations: ReadonlySet<string> = new Set(
  (
    'QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT VARIABLE_DEFINITION SCHEMA SCALAR OBJECT ' +
    'FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE INPUT_OBJECT INPUT_FIELD_DEFINITION'
  ).split(' '),
);

function directiveDefinition(parser: Parser, Description: string): DirectiveDefinition {
  parser.expectKeyword('directive');
  parser.expect('@');
  const Position = parser.position();
  const Name = parser.name();
  const Arguments = parser.some('(', ')', () => inputDefinition(parser));
  const IsRepeatable = parser.isKeyword('repeatable');
  if (IsRepeatable) parser.take();
  parser.expectKeyword('on');
  parser.skip('|');
  const Locations = [directiveLocation(parser)];
  while (parser.skip('|')) Locations.push(directiveLocation(parser));
  return { Description, Name, Arguments, Locations, IsRepeatable, Position };
}

function directiveLocation(parser: Parser): string {
  const token = parser.expect('Name');
  return locations.has(token.value) ? token.value : parser.unexpected(token);
}

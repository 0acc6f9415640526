/** Text of a schema → its syntax tree. */
import type {
  CommentGroup,
  DirectiveDefinition,
  EnumValueDefinition,
  FieldDefinition,
  GraphqlDefinition,
  GraphqlDirective,
  InputDefinition,
  OperationTypeDefinition,
  SchemaDefinition,
  SchemaDocument,
} from './ast.js';
import type { GraphqlPosition } from './lexer.js';
import { GraphqlParser, type ParseLimits } from './parser.js';

/** The tree of a document of type definitions and extensions. Throws a GraphqlError. */
export function parseSchema(text: string, limits: ParseLimits): SchemaDocument {
  const parser = new GraphqlParser(text, limits);
  const document: SchemaDocument = { Schema: [], SchemaExtension: [], Directives: [], Definitions: [], Extensions: [] };
  while (parser.peek().kind !== '<EOF>') definition(parser, document);
  document.Comment = parser.comment();
  return document;
}

interface Heading {
  readonly Description: string;
  readonly BeforeDescriptionComment: CommentGroup | null;
  readonly AfterDescriptionComment: CommentGroup | null;
}

/** A description, if there is one, and the comments around it. */
function heading(parser: GraphqlParser): Heading {
  const { kind } = parser.peek();
  let Description = '';
  let BeforeDescriptionComment: CommentGroup | null = null;
  if (kind === 'String' || kind === 'BlockString') {
    BeforeDescriptionComment = parser.comment();
    Description = parser.take().value;
  }
  return { Description, BeforeDescriptionComment, AfterDescriptionComment: parser.comment() };
}

/** The heading of a part: an empty description hides the comments before it. */
function partHeading(parser: GraphqlParser): Heading {
  const part = heading(parser);
  return part.Description === '' ? { ...part, BeforeDescriptionComment: null } : part;
}

function definition(parser: GraphqlParser, document: SchemaDocument): void {
  const head = heading(parser);
  const described = head.Description === '' ? undefined : parser.taken;
  const token = parser.peek();
  if (token.kind !== 'Name') parser.unexpected();
  if (token.value === 'schema') document.Schema.push(schemaDefinition(parser, head));
  else if (token.value === 'directive') document.Directives.push(directiveDefinition(parser, head));
  else if (token.value === 'extend') {
    if (described !== undefined) parser.unexpected(described);
    const bare = { ...head, BeforeDescriptionComment: null };
    parser.take();
    if (parser.isKeyword('schema')) document.SchemaExtension.push(schemaExtension(parser, bare));
    else document.Extensions.push(typeExtension(parser, bare));
  } else document.Definitions.push(typeDefinition(parser, head));
}

function schemaDefinition(parser: GraphqlParser, head: Heading): SchemaDefinition {
  parser.expectKeyword('schema');
  const Position = parser.position();
  const Directives = parser.directives(true);
  const OperationTypes = operationTypes(parser);
  return { ...head, Directives, OperationTypes, EndOfDefinitionComment: parser.closing, Position };
}

function schemaExtension(parser: GraphqlParser, head: Heading): SchemaDefinition {
  const extension = schemaDefinition(parser, head);
  if (extension.Directives.length === 0 && extension.OperationTypes.length === 0) parser.unexpected();
  return extension;
}

function operationTypes(parser: GraphqlParser): OperationTypeDefinition[] {
  return parser.some('{', '}', () => {
    const Position = parser.position();
    const Comment = parser.comment();
    const Operation = parser.operationType();
    parser.expect(':');
    return { Operation, Type: parser.name(), Comment, Position };
  });
}

const kinds: ReadonlyMap<string, string> = new Map([
  ['scalar', 'SCALAR'],
  ['type', 'OBJECT'],
  ['interface', 'INTERFACE'],
  ['union', 'UNION'],
  ['enum', 'ENUM'],
  ['input', 'INPUT_OBJECT'],
]);

function typeDefinition(parser: GraphqlParser, head: Heading): GraphqlDefinition {
  const Kind = kinds.get(parser.peek().value) ?? parser.unexpected();
  parser.take();
  const Position = parser.position();
  const Name = parser.name();
  const Interfaces = Kind === 'OBJECT' || Kind === 'INTERFACE' ? interfaces(parser) : [];
  const Directives = parser.directives(true);
  let Fields: readonly FieldDefinition[] = [];
  let Types: readonly string[] = [];
  let TypePositions: readonly GraphqlPosition[] | undefined;
  parser.closing = null;
  let EnumValues: readonly EnumValueDefinition[] = [];
  if (Kind === 'OBJECT' || Kind === 'INTERFACE') Fields = parser.some('{', '}', () => fieldDefinition(parser));
  else if (Kind === 'INPUT_OBJECT')
    Fields = parser.some('{', '}', () => ({ Arguments: [], ...inputDefinition(parser) }));
  else if (Kind === 'UNION') [Types, TypePositions] = unionMembers(parser);
  else if (Kind === 'ENUM') EnumValues = parser.some('{', '}', () => enumValue(parser));
  const EndOfDefinitionComment = Kind === 'SCALAR' || Kind === 'UNION' ? null : parser.closing;
  const parts = { Directives, Interfaces, Fields, Types, TypePositions, EnumValues };
  return { Kind, ...head, Name, ...parts, BuiltIn: false, EndOfDefinitionComment, Position };
}

function typeExtension(parser: GraphqlParser, head: Heading): GraphqlDefinition {
  const extension = typeDefinition(parser, head);
  const { Interfaces, Directives, Fields, Types, EnumValues } = extension;
  if (![Interfaces, Directives, Fields, Types, EnumValues].some((part) => part.length > 0)) parser.unexpected();
  return extension;
}

function interfaces(parser: GraphqlParser): string[] {
  if (parser.peek().value !== 'implements') return [];
  parser.take();
  parser.skip('&');
  const names = [parser.name()];
  while (parser.skip('&')) names.push(parser.name());
  return names;
}

function unionMembers(parser: GraphqlParser): [string[], GraphqlPosition[]] {
  if (!parser.skip('=')) return [[], []];
  parser.skip('|');
  const positions = [parser.position()];
  const names = [parser.name()];
  while (parser.skip('|')) {
    positions.push(parser.position());
    names.push(parser.name());
  }
  return [names, positions];
}

function fieldDefinition(parser: GraphqlParser): FieldDefinition {
  const head = partHeading(parser);
  const Position = parser.position();
  const Name = parser.name();
  const Arguments = parser.some('(', ')', () => inputDefinition(parser));
  parser.expect(':');
  const Type = parser.type();
  return { ...head, Name, Arguments, DefaultValue: null, Type, Directives: parser.directives(true), Position };
}

function inputDefinition(parser: GraphqlParser): InputDefinition {
  const head = partHeading(parser);
  const Position = parser.position();
  const Name = parser.name();
  parser.expect(':');
  const Type = parser.type();
  const DefaultValue = parser.skip('=') ? parser.literal(true) : null;
  return { ...head, Name, DefaultValue, Type, Directives: parser.directives(true), Position };
}

function enumValue(parser: GraphqlParser): EnumValueDefinition {
  const head = partHeading(parser);
  const Position = parser.position();
  const Name = parser.name();
  const Directives: readonly GraphqlDirective[] = parser.directives(true);
  return { ...head, Name, Directives, Position };
}

const locations: ReadonlySet<string> = new Set(
  (
    'QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT VARIABLE_DEFINITION SCHEMA SCALAR OBJECT ' +
    'FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE INPUT_OBJECT INPUT_FIELD_DEFINITION'
  ).split(' '),
);

function directiveDefinition(parser: GraphqlParser, head: Heading): DirectiveDefinition {
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
  return { ...head, Name, Arguments, Locations, IsRepeatable, Position };
}

function directiveLocation(parser: GraphqlParser): string {
  const token = parser.expect('Name');
  return locations.has(token.value) ? token.value : parser.unexpected(token);
}

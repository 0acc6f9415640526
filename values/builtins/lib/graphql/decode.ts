/**
 * Documents given as objects → syntax trees. As in the reference, absent parts are empty, unknown
 * parts are skipped, and every selection is read as a field: fragments in a document given as an
 * object are lost.
 */
import type { ObjectValue } from '../../../value.js';
import type {
  Argument,
  CommentGroup,
  DirectiveDefinition,
  EnumValueDefinition,
  FieldDefinition,
  FragmentDefinition,
  GraphqlDefinition,
  GraphqlDirective,
  GraphqlField,
  GraphqlType,
  InputDefinition,
  Literal,
  OperationDefinition,
  OperationTypeDefinition,
  QueryDocument,
  SchemaDefinition,
  SchemaDocument,
  VariableDefinition,
} from './ast.js';
import { ObjectReader } from './object-reader.js';

/**
 * The tree of a query given as an object. Throws a BuiltinError where a part is of the wrong type.
 */
export function decodeGraphqlQuery(document: ObjectValue): QueryDocument {
  const node = new ObjectReader(document, 'QueryDocument', 0);
  return { Operations: node.list('Operations', operation), Fragments: node.list('Fragments', fragment) };
}

/**
 * The tree of a schema given as an object. Throws a BuiltinError where a part is of the wrong type.
 */
export function decodeSchema(document: ObjectValue): SchemaDocument {
  const node = new ObjectReader(document, 'SchemaDocument', 0);
  return {
    Schema: node.list('Schema', schemaDefinition),
    SchemaExtension: node.list('SchemaExtension', schemaDefinition),
    Directives: node.list('Directives', directiveDefinition),
    Definitions: node.list('Definitions', definition),
    Extensions: node.list('Extensions', definition),
    ...commented(node),
  };
}

function comment(node: ObjectReader): CommentGroup {
  return { List: node.list('List', (line) => ({ Value: line.string('Value') })) };
}

function commented(node: ObjectReader): { Comment: CommentGroup | null } {
  return { Comment: node.optional('Comment', comment) };
}

function described(node: ObjectReader) {
  return {
    Description: node.string('Description'),
    BeforeDescriptionComment: node.optional('BeforeDescriptionComment', comment),
    AfterDescriptionComment: node.optional('AfterDescriptionComment', comment),
  };
}

function operation(node: ObjectReader): OperationDefinition {
  return {
    Operation: node.string('Operation'),
    Name: node.string('Name'),
    VariableDefinitions: node.list('VariableDefinitions', variableDefinition),
    Directives: node.list('Directives', directive),
    SelectionSet: node.list('SelectionSet', field),
  };
}

function fragment(node: ObjectReader): FragmentDefinition {
  return {
    Name: node.string('Name'),
    VariableDefinition: node.list('VariableDefinition', variableDefinition),
    TypeCondition: node.string('TypeCondition'),
    Directives: node.list('Directives', directive),
    SelectionSet: node.list('SelectionSet', field),
  };
}

function variableDefinition(node: ObjectReader): VariableDefinition {
  return {
    Variable: node.string('Variable'),
    Type: node.optional('Type', type),
    DefaultValue: node.optional('DefaultValue', literal),
    Directives: node.list('Directives', directive),
    Used: node.boolean('Used'),
    ...commented(node),
  };
}

function field(node: ObjectReader): GraphqlField {
  return {
    Alias: node.string('Alias'),
    Name: node.string('Name'),
    Arguments: node.list('Arguments', argument),
    Directives: node.list('Directives', directive),
    SelectionSet: node.list('SelectionSet', field),
  };
}

function directive(node: ObjectReader): GraphqlDirective {
  return { Name: node.string('Name'), Arguments: node.list('Arguments', argument), Location: node.string('Location') };
}

function argument(node: ObjectReader): Argument {
  return { Name: node.string('Name'), Value: node.optional('Value', literal), ...commented(node) };
}

function literal(node: ObjectReader): Literal {
  return {
    Raw: node.string('Raw'),
    Kind: node.integer('Kind'),
    Children: node.list('Children', argument),
    ExpectedTypeHasDefault: node.boolean('ExpectedTypeHasDefault'),
    ...commented(node),
  };
}

function type(node: ObjectReader): GraphqlType {
  return { NamedType: node.string('NamedType'), Elem: node.optional('Elem', type), NonNull: node.boolean('NonNull') };
}

function schemaDefinition(node: ObjectReader): SchemaDefinition {
  return {
    ...described(node),
    EndOfDefinitionComment: node.optional('EndOfDefinitionComment', comment),
    Directives: node.list('Directives', directive),
    OperationTypes: node.list('OperationTypes', operationType),
  };
}

function operationType(node: ObjectReader): OperationTypeDefinition {
  return { Operation: node.string('Operation'), Type: node.string('Type'), ...commented(node) };
}

function directiveDefinition(node: ObjectReader): DirectiveDefinition {
  return {
    ...described(node),
    Name: node.string('Name'),
    Arguments: node.list('Arguments', inputDefinition),
    Locations: node.strings('Locations'),
    IsRepeatable: node.boolean('IsRepeatable'),
  };
}

function definition(node: ObjectReader): GraphqlDefinition {
  return {
    Kind: node.string('Kind'),
    ...described(node),
    EndOfDefinitionComment: node.optional('EndOfDefinitionComment', comment),
    Name: node.string('Name'),
    Directives: node.list('Directives', directive),
    Interfaces: node.strings('Interfaces'),
    Fields: node.list('Fields', fieldDefinition),
    Types: node.strings('Types'),
    EnumValues: node.list('EnumValues', enumValue),
    BuiltIn: node.boolean('BuiltIn'),
  };
}

function inputDefinition(node: ObjectReader): InputDefinition {
  return {
    ...described(node),
    Name: node.string('Name'),
    DefaultValue: node.optional('DefaultValue', literal),
    Type: node.optional('Type', type),
    Directives: node.list('Directives', directive),
  };
}

function fieldDefinition(node: ObjectReader): FieldDefinition {
  return { ...inputDefinition(node), Arguments: node.list('Arguments', inputDefinition) };
}

function enumValue(node: ObjectReader): EnumValueDefinition {
  return { ...described(node), Name: node.string('Name'), Directives: node.list('Directives', directive) };
}

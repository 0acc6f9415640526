/**
 * The syntax trees of GraphQL documents, with the field names that the reference shows in its JSON.
 * The built-ins answer such a tree after `toValue` has left out positions and empty parts.
 */
import type { ObjectValue } from '../../../value.js';
import type { GraphqlPosition } from './lexer.js';

/** The position of a node; absent where the document was given as an object. */
interface Node {
  readonly Position?: GraphqlPosition | undefined;
}

/** Comments that stand together. */
export interface CommentGroup {
  readonly List: readonly { readonly Value: string }[];
}

interface Commented extends Node {
  readonly Comment?: CommentGroup | null | undefined;
}

/** A node that may have a description, with comments before and after it. */
interface Described extends Node {
  readonly Description: string;
  readonly BeforeDescriptionComment?: CommentGroup | null | undefined;
  readonly AfterDescriptionComment?: CommentGroup | null | undefined;
}

/** A node that may have a body in braces. */
interface Braced extends Described {
  readonly EndOfDefinitionComment?: CommentGroup | null | undefined;
}

export interface QueryDocument {
  readonly Operations: OperationDefinition[];
  readonly Fragments: FragmentDefinition[];
}

export interface OperationDefinition extends Commented {
  readonly Operation: string;
  readonly Name: string;
  readonly VariableDefinitions: readonly VariableDefinition[];
  readonly Directives: readonly GraphqlDirective[];
  readonly SelectionSet: readonly Selection[];
}

export interface FragmentDefinition extends Commented {
  readonly Name: string;
  readonly VariableDefinition: readonly VariableDefinition[];
  readonly TypeCondition: string;
  readonly Directives: readonly GraphqlDirective[];
  readonly SelectionSet: readonly Selection[];
}

export interface VariableDefinition extends Commented {
  readonly Variable: string;
  readonly Type: GraphqlType | null;
  readonly DefaultValue: Literal | null;
  readonly Directives: readonly GraphqlDirective[];
  readonly Used: boolean;
}

export type Selection = GraphqlField | FragmentSpread | InlineFragment;

export interface GraphqlField extends Commented {
  readonly Alias: string;
  readonly Name: string;
  readonly Arguments: readonly Argument[];
  readonly Directives: readonly GraphqlDirective[];
  readonly SelectionSet: readonly Selection[];
}

interface FragmentSpread extends Commented {
  readonly Name: string;
  readonly Directives: readonly GraphqlDirective[];
}

interface InlineFragment extends Commented {
  readonly TypeCondition: string;
  readonly Directives: readonly GraphqlDirective[];
  readonly SelectionSet: readonly Selection[];
}

export interface GraphqlDirective extends Node {
  readonly Name: string;
  readonly Arguments: readonly Argument[];
  readonly Location: string;
}

export interface Argument extends Commented {
  readonly Name: string;
  readonly Value: Literal | null;
}

/** Kinds of literals by number. */
export const literalKind = {
  variable: 0,
  int: 1,
  float: 2,
  string: 3,
  block: 4,
  boolean: 5,
  null: 6,
  enum: 7,
  list: 8,
  object: 9,
} as const;

export interface Literal extends Commented {
  readonly Raw: string;
  readonly Kind: number;
  readonly Children: readonly Argument[];
  readonly ExpectedTypeHasDefault: boolean;
}

export interface GraphqlType extends Node {
  readonly NamedType: string;
  readonly Elem: GraphqlType | null;
  readonly NonNull: boolean;
}

export interface SchemaDocument {
  /** Comments at the end. */
  Comment?: CommentGroup | null;
  readonly Schema: SchemaDefinition[];
  readonly SchemaExtension: SchemaDefinition[];
  readonly Directives: DirectiveDefinition[];
  readonly Definitions: GraphqlDefinition[];
  readonly Extensions: GraphqlDefinition[];
}

export interface SchemaDefinition extends Braced {
  readonly Directives: readonly GraphqlDirective[];
  readonly OperationTypes: readonly OperationTypeDefinition[];
}

export interface OperationTypeDefinition extends Commented {
  readonly Operation: string;
  readonly Type: string;
}

export interface DirectiveDefinition extends Described {
  readonly Name: string;
  readonly Arguments: readonly InputDefinition[];
  readonly Locations: readonly string[];
  readonly IsRepeatable: boolean;
}

/**
 * `SCALAR`, `OBJECT`, `INTERFACE`, `UNION`, `ENUM` or `INPUT_OBJECT`; a document given as an object
 * may have any other text.
 */
type DefinitionKind = string;

export interface GraphqlDefinition extends Braced {
  readonly Kind: DefinitionKind;
  readonly Name: string;
  readonly Directives: readonly GraphqlDirective[];
  readonly Interfaces: readonly string[];
  readonly Fields: readonly FieldDefinition[];
  readonly Types: readonly string[];
  /** Where the members of a union stand; not for show. */
  readonly TypePositions?: readonly GraphqlPosition[] | undefined;
  readonly EnumValues: readonly EnumValueDefinition[];
  readonly BuiltIn: boolean;
}

/** A field of an input object, or an argument. */
export interface InputDefinition extends Described {
  readonly Name: string;
  readonly Type: GraphqlType | null;
  readonly DefaultValue: Literal | null;
  readonly Directives: readonly GraphqlDirective[];
}

export interface FieldDefinition extends InputDefinition {
  readonly Arguments: readonly InputDefinition[];
}

export interface EnumValueDefinition extends Described {
  readonly Name: string;
  readonly Directives: readonly GraphqlDirective[];
}

/** A tree as a value of the language: without positions, nulls, empty arrays and empty objects. */
export function toValue(document: QueryDocument | SchemaDocument): ObjectValue {
  return prune(document) as ObjectValue;
}

function prune(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(prune).filter((member) => !isEmpty(member));
  const kept: [string, unknown][] = [];
  for (const [key, member] of Object.entries(node)) {
    if (key === 'Position' || key === 'TypePositions') continue;
    const value = prune(member);
    if (!isEmpty(value)) kept.push([key, value]);
  }
  return Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

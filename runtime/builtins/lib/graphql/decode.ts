/**
 * Documents given as objects → syntax trees. As in the reference, absent parts are empty, unknown
 * parts are skipped, and every selection is read as a field: fragments in a document given as an
 * object are lost.
 */
import { objectGet } from '../../../values/compare.js';
import { safeIntegerOf } from '../../../values/numbers/number.js';
import { isArray, isNumber, isObject, type ObjectValue, typeName, type Value } from '../../../values/value.js';
import { BuiltinError } from '../../errors.js';
import type {
  Argument,
  CommentGroup,
  Definition,
  Directive,
  DirectiveDefinition,
  EnumValueDefinition,
  Field,
  FieldDefinition,
  FragmentDefinition,
  InputDefinition,
  Literal,
  OperationDefinition,
  OperationTypeDefinition,
  QueryDocument,
  SchemaDefinition,
  SchemaDocument,
  Type,
  VariableDefinition,
} from './ast.js';

const maxDepth = 1000;

/**
 * The tree of a query given as an object. Throws a BuiltinError where a part is of the wrong type.
 */
export function decodeQuery(document: ObjectValue): QueryDocument {
  const node = new Reader(document, 'QueryDocument', 0);
  return { Operations: node.list('Operations', operation), Fragments: node.list('Fragments', fragment) };
}

/**
 * The tree of a schema given as an object. Throws a BuiltinError where a part is of the wrong type.
 */
export function decodeSchema(document: ObjectValue): SchemaDocument {
  const node = new Reader(document, 'SchemaDocument', 0);
  return {
    Schema: node.list('Schema', schemaDefinition),
    SchemaExtension: node.list('SchemaExtension', schemaDefinition),
    Directives: node.list('Directives', directiveDefinition),
    Definitions: node.list('Definitions', definition),
    Extensions: node.list('Extensions', definition),
    ...commented(node),
  };
}

class Reader {
  readonly #object: ObjectValue;
  readonly #name: string;
  readonly #depth: number;

  constructor(object: ObjectValue, name: string, depth: number) {
    if (depth > maxDepth) throw new BuiltinError(`nested deeper than ${maxDepth} levels`);
    this.#object = object;
    this.#name = name;
    this.#depth = depth;
  }

  #wrong(field: string, value: Value, wanted: string): BuiltinError {
    return new BuiltinError(`json: cannot unmarshal ${typeName(value)} into Go struct field ${this.#name}.${field} of type ${wanted}`);
  }

  #get(field: string): Value | undefined {
    const value = objectGet(this.#object, field);
    return value === null ? undefined : value;
  }

  string(field: string): string {
    const value = this.#get(field) ?? '';
    if (typeof value !== 'string') throw this.#wrong(field, value, 'string');
    return value;
  }

  boolean(field: string): boolean {
    const value = this.#get(field) ?? false;
    if (typeof value !== 'boolean') throw this.#wrong(field, value, 'bool');
    return value;
  }

  integer(field: string): number {
    const value = this.#get(field) ?? 0;
    const integer = isNumber(value) ? safeIntegerOf(value) : undefined;
    if (integer === undefined) throw this.#wrong(field, value, 'int');
    return integer;
  }

  #array(field: string): readonly Value[] {
    const value = this.#get(field) ?? [];
    if (!isArray(value)) throw this.#wrong(field, value, 'slice');
    return value;
  }

  strings(field: string): string[] {
    return this.#array(field).map((value) => {
      if (typeof value !== 'string') throw this.#wrong(field, value, 'string');
      return value;
    });
  }

  list<T>(field: string, decode: (node: Reader) => T): T[] {
    return this.#array(field).map((value) => decode(this.#child(field, value)));
  }

  optional<T>(field: string, decode: (node: Reader) => T): T | null {
    const value = this.#get(field);
    return value === undefined ? null : decode(this.#child(field, value));
  }

  #child(field: string, value: Value): Reader {
    if (!isObject(value)) throw this.#wrong(field, value, 'struct');
    return new Reader(value, `${this.#name}.${field}`, this.#depth + 1);
  }
}

function comment(node: Reader): CommentGroup {
  return { List: node.list('List', (line) => ({ Value: line.string('Value') })) };
}

function commented(node: Reader): { Comment: CommentGroup | null } {
  return { Comment: node.optional('Comment', comment) };
}

function described(node: Reader) {
  return {
    Description: node.string('Description'),
    BeforeDescriptionComment: node.optional('BeforeDescriptionComment', comment),
    AfterDescriptionComment: node.optional('AfterDescriptionComment', comment),
  };
}

function operation(node: Reader): OperationDefinition {
  return {
    Operation: node.string('Operation'),
    Name: node.string('Name'),
    VariableDefinitions: node.list('VariableDefinitions', variableDefinition),
    Directives: node.list('Directives', directive),
    SelectionSet: node.list('SelectionSet', field),
  };
}

function fragment(node: Reader): FragmentDefinition {
  return {
    Name: node.string('Name'),
    VariableDefinition: node.list('VariableDefinition', variableDefinition),
    TypeCondition: node.string('TypeCondition'),
    Directives: node.list('Directives', directive),
    SelectionSet: node.list('SelectionSet', field),
  };
}

function variableDefinition(node: Reader): VariableDefinition {
  return {
    Variable: node.string('Variable'),
    Type: node.optional('Type', type),
    DefaultValue: node.optional('DefaultValue', literal),
    Directives: node.list('Directives', directive),
    Used: node.boolean('Used'),
    ...commented(node),
  };
}

function field(node: Reader): Field {
  return {
    Alias: node.string('Alias'),
    Name: node.string('Name'),
    Arguments: node.list('Arguments', argument),
    Directives: node.list('Directives', directive),
    SelectionSet: node.list('SelectionSet', field),
  };
}

function directive(node: Reader): Directive {
  return { Name: node.string('Name'), Arguments: node.list('Arguments', argument), Location: node.string('Location') };
}

function argument(node: Reader): Argument {
  return { Name: node.string('Name'), Value: node.optional('Value', literal), ...commented(node) };
}

function literal(node: Reader): Literal {
  return {
    Raw: node.string('Raw'),
    Kind: node.integer('Kind'),
    Children: node.list('Children', argument),
    ExpectedTypeHasDefault: node.boolean('ExpectedTypeHasDefault'),
    ...commented(node),
  };
}

function type(node: Reader): Type {
  return { NamedType: node.string('NamedType'), Elem: node.optional('Elem', type), NonNull: node.boolean('NonNull') };
}

function schemaDefinition(node: Reader): SchemaDefinition {
  return {
    ...described(node),
    EndOfDefinitionComment: node.optional('EndOfDefinitionComment', comment),
    Directives: node.list('Directives', directive),
    OperationTypes: node.list('OperationTypes', operationType),
  };
}

function operationType(node: Reader): OperationTypeDefinition {
  return { Operation: node.string('Operation'), Type: node.string('Type'), ...commented(node) };
}

function directiveDefinition(node: Reader): DirectiveDefinition {
  return {
    ...described(node),
    Name: node.string('Name'),
    Arguments: node.list('Arguments', inputDefinition),
    Locations: node.strings('Locations'),
    IsRepeatable: node.boolean('IsRepeatable'),
  };
}

function definition(node: Reader): Definition {
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

function inputDefinition(node: Reader): InputDefinition {
  return {
    ...described(node),
    Name: node.string('Name'),
    DefaultValue: node.optional('DefaultValue', literal),
    Type: node.optional('Type', type),
    Directives: node.list('Directives', directive),
  };
}

function fieldDefinition(node: Reader): FieldDefinition {
  return { ...inputDefinition(node), Arguments: node.list('Arguments', inputDefinition) };
}

function enumValue(node: Reader): EnumValueDefinition {
  return { ...described(node), Name: node.string('Name'), Directives: node.list('Directives', directive) };
}

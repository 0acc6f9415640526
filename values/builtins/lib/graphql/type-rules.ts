/** Rules for the types of schemas, in the order in which the reference checks them. */
import type { DirectiveDefinition, GraphqlDefinition } from './ast.js';
import {
  checkArguments,
  checkDirectives,
  checkInputFields,
  checkRepeats,
  isReserved,
  reservedName,
  undefinedType,
} from './directive-rules.js';
import { GraphqlError } from './graphql-errors.js';
import { checkInterfaces } from './interface-rules.js';
import type { SchemaIndex } from './schema-index.js';
import { namedType } from './type-ref.js';

const outputKinds: readonly string[] = ['SCALAR', 'OBJECT', 'INTERFACE', 'UNION', 'ENUM'];
const reservedValues: readonly string[] = ['true', 'false', 'null'];

type Rule = (type: GraphqlDefinition, schema: SchemaIndex) => void;

const rules: readonly Rule[] = [
  checkFields,
  checkMembers,
  checkInterfaces,
  checkContent,
  checkRepetitions,
  checkOwnName,
];

export function checkType(type: GraphqlDefinition, schema: SchemaIndex): void {
  // Types of introspection are well formed, and have names that others may not have.
  if (type.BuiltIn && type.Name.startsWith('__')) return;
  for (const rule of rules) rule(type, schema);
  checkDirectives(type.Directives, type.Kind, schema, { severalPlaces: true });
}

export function checkDirectiveDefinition(directive: DirectiveDefinition, schema: SchemaIndex): void {
  if (isReserved(directive.Name)) throw reservedName(directive);
  checkArguments(directive.Arguments, schema, directive);
}

function checkFields({ Kind, Fields }: GraphqlDefinition, schema: SchemaIndex): void {
  const location = Kind === 'INPUT_OBJECT' ? 'INPUT_FIELD_DEFINITION' : 'FIELD_DEFINITION';
  for (const field of Fields) {
    if (isReserved(field.Name)) throw reservedName(field);
    if (!schema.types.has(namedType(field.Type))) throw undefinedType(field);
    if (field.Arguments.length > 0) checkArguments(field.Arguments, schema);
    if (field.Directives.length > 0) checkDirectives(field.Directives, location, schema);
  }
}

function checkMembers({ Kind, Types, Position }: GraphqlDefinition, schema: SchemaIndex): void {
  for (const member of Types) {
    const kind = schema.types.get(member)?.Kind;
    if (kind === undefined) throw new GraphqlError(`Undefined type "${member}".`, Position);
    if (kind !== 'OBJECT') throw new GraphqlError(`${Kind} type "${member}" must be OBJECT.`, Position);
  }
}

/** The parts that a kind of type has to have. */
function checkContent(type: GraphqlDefinition, schema: SchemaIndex): void {
  const { Kind, Fields, EnumValues } = type;
  switch (Kind) {
    case 'OBJECT':
    case 'INTERFACE':
      if (Fields.length === 0) throw needs(type, 'fields');
      checkOutputFields(type, schema);
      break;
    case 'INPUT_OBJECT':
      if (Fields.length === 0) throw needs(type, 'input fields');
      checkInputFields(Fields, schema);
      break;
    case 'ENUM':
      if (EnumValues.length === 0) throw needs(type, 'unique enum values');
      checkEnumValues(type, schema);
  }
}

function needs({ Kind, Name, Position }: GraphqlDefinition, what: string): GraphqlError {
  return new GraphqlError(`${Kind} ${Name}: must define one or more ${what}.`, Position);
}

function checkOutputFields({ Kind, Name, Fields }: GraphqlDefinition, schema: SchemaIndex): void {
  for (const { Type, Position } of Fields) {
    if (outputKinds.includes(schema.kindOf(Type))) continue;
    throw new GraphqlError(`${Kind} ${Name}: field must be one of ${outputKinds.join(', ')}.`, Position);
  }
}

function checkEnumValues({ Kind, Name, Position, EnumValues }: GraphqlDefinition, schema: SchemaIndex): void {
  for (const value of EnumValues) {
    if (reservedValues.includes(value.Name))
      throw new GraphqlError(`${Kind} ${Name}: non-enum value ${value.Name}.`, Position);
    checkDirectives(value.Directives, 'ENUM_VALUE', schema);
  }
}

function checkRepetitions({ Name, Fields, EnumValues, Types, TypePositions = [], Position }: GraphqlDefinition): void {
  if (Fields.length > 1) checkRepeats(Fields, (again) => `Field ${Name}.${again} can only be defined once.`);
  if (EnumValues.length > 1)
    checkRepeats(EnumValues, (again) => `Enum value ${Name}.${again} can only be defined once.`);
  if (Types.length < 2) return;
  // Schemas that are given as objects have no positions of members.
  const positionOf = (i: number) => (TypePositions.length === Types.length ? TypePositions[i] : Position);
  const members = Types.map((member, i) => ({ Name: member, Position: positionOf(i) }));
  checkRepeats(members, (again) => `Union type ${Name} can only include type ${again} once.`);
}

function checkOwnName(type: GraphqlDefinition): void {
  if (!type.BuiltIn && isReserved(type.Name)) throw reservedName(type);
}

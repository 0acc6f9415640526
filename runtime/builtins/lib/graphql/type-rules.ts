/** Rules for the types of schemas, in the order in which the reference reports mistakes. */
import type { Definition, DirectiveDefinition } from './ast.js';
import {
  argumentMistakes,
  directiveMistakes,
  inputFieldMistakes,
  type Mistakes,
  nameMistakes,
  repeatMistakes,
  typeNameMistakes,
} from './directive-rules.js';
import { GraphqlError } from './errors.js';
import { interfaceMistakes } from './interface-rules.js';
import type { SchemaIndex } from './schema-index.js';

const outputKinds: readonly string[] = ['SCALAR', 'OBJECT', 'INTERFACE', 'UNION', 'ENUM'];
const reservedValues: readonly string[] = ['true', 'false', 'null'];

type Rule = (type: Definition, schema: SchemaIndex) => Mistakes;

const rules: readonly Rule[] = [fieldMistakes, memberMistakes, interfaceMistakes, contentMistakes, repetitionMistakes, ownNameMistakes];

export function* typeMistakes(type: Definition, schema: SchemaIndex): Mistakes {
  // Types of introspection are well formed, and have names that others may not have.
  if (type.BuiltIn && type.Name.startsWith('__')) return;
  for (const rule of rules) yield* rule(type, schema);
  yield* directiveMistakes(type.Directives, type.Kind, schema, { severalPlaces: true });
}

export function* directiveDefinitionMistakes(directive: DirectiveDefinition, schema: SchemaIndex): Mistakes {
  yield* nameMistakes(directive.Name, directive.Position);
  yield* argumentMistakes(directive.Arguments, schema, directive);
}

function* fieldMistakes({ Kind, Fields }: Definition, schema: SchemaIndex): Mistakes {
  const location = Kind === 'INPUT_OBJECT' ? 'INPUT_FIELD_DEFINITION' : 'FIELD_DEFINITION';
  for (const field of Fields) {
    yield* nameMistakes(field.Name, field.Position);
    yield* typeNameMistakes(field, schema);
    yield* argumentMistakes(field.Arguments, schema);
    yield* directiveMistakes(field.Directives, location, schema);
  }
}

function* memberMistakes({ Kind, Types, Position }: Definition, schema: SchemaIndex): Mistakes {
  for (const member of Types) {
    const kind = schema.types.get(member)?.Kind;
    if (kind === undefined) yield new GraphqlError(`Undefined type "${member}".`, Position);
    if (kind !== 'OBJECT') yield new GraphqlError(`${Kind} type "${member}" must be OBJECT.`, Position);
  }
}

/** The parts that a kind of type has to have. */
function* contentMistakes(type: Definition, schema: SchemaIndex): Mistakes {
  const { Kind, Name, Position, Fields, EnumValues } = type;
  const needs = (what: string) => new GraphqlError(`${Kind} ${Name}: must define one or more ${what}.`, Position);
  switch (Kind) {
    case 'OBJECT':
    case 'INTERFACE':
      if (Fields.length === 0) yield needs('fields');
      yield* outputFieldMistakes(type, schema);
      break;
    case 'INPUT_OBJECT':
      if (Fields.length === 0) yield needs('input fields');
      yield* inputFieldMistakes(Fields, schema);
      break;
    case 'ENUM':
      if (EnumValues.length === 0) yield needs('unique enum values');
      yield* enumValueMistakes(type, schema);
  }
}

function* outputFieldMistakes({ Kind, Name, Fields }: Definition, schema: SchemaIndex): Mistakes {
  for (const { Type, Position } of Fields) {
    if (outputKinds.includes(schema.kindOf(Type))) continue;
    yield new GraphqlError(`${Kind} ${Name}: field must be one of ${outputKinds.join(', ')}.`, Position);
  }
}

function* enumValueMistakes({ Kind, Name, Position, EnumValues }: Definition, schema: SchemaIndex): Mistakes {
  for (const value of EnumValues) {
    if (reservedValues.includes(value.Name)) yield new GraphqlError(`${Kind} ${Name}: non-enum value ${value.Name}.`, Position);
    yield* directiveMistakes(value.Directives, 'ENUM_VALUE', schema);
  }
}

function* repetitionMistakes({ Name, Fields, EnumValues, Types, TypePositions = [], Position }: Definition): Mistakes {
  yield* repeatMistakes(Fields, (again) => `Field ${Name}.${again} can only be defined once.`);
  yield* repeatMistakes(EnumValues, (again) => `Enum value ${Name}.${again} can only be defined once.`);
  // Schemas that are given as objects have no positions of members.
  const positionOf = (i: number) => (TypePositions.length === Types.length ? TypePositions[i] : Position);
  const members = Types.map((member, i) => ({ Name: member, Position: positionOf(i) }));
  yield* repeatMistakes(members, (again) => `Union type ${Name} can only include type ${again} once.`);
}

function* ownNameMistakes({ BuiltIn, Name, Position }: Definition): Mistakes {
  if (!BuiltIn) yield* nameMistakes(Name, Position);
}

/**
 * Rules for names, arguments and directives of schemas. A check throws a GraphqlError at its first
 * mistake.
 */
import { type DirectiveDefinition, type GraphqlDirective, type InputDefinition, literalKind } from './ast.js';
import { GraphqlError } from './graphql-errors.js';
import type { GraphqlPosition } from './lexer.js';
import type { SchemaIndex } from './schema-index.js';
import { namedType, typeRef, typeRefText } from './type-ref.js';

const inputKinds: readonly string[] = ['SCALAR', 'ENUM', 'INPUT_OBJECT'];

interface Named {
  readonly Name: string;
  readonly Position?: GraphqlPosition | undefined;
}

export function isReserved(name: string): boolean {
  return name.startsWith('__');
}

export function reservedName({ Name, Position }: Named): GraphqlError {
  return new GraphqlError(
    `Name "${Name}" must not begin with "__", which is reserved by GraphQL introspection.`,
    Position,
  );
}

/** A name that stands twice among the parts of a definition. */
export function checkRepeats(parts: readonly Named[], message: (name: string) => string): void {
  const seen = new Set<string>();
  for (const { Name, Position } of parts) {
    if (seen.has(Name)) throw new GraphqlError(message(Name), Position);
    seen.add(Name);
  }
}

export function undefinedType({ Type }: InputDefinition): GraphqlError {
  return new GraphqlError(`Undefined type ${namedType(Type)}.`, Type?.Position);
}

/** Checks arguments. `within` is the directive that they belong to, which may not use itself. */
export function checkArguments(
  args: readonly InputDefinition[],
  schema: SchemaIndex,
  within?: DirectiveDefinition,
): void {
  for (const argument of args) {
    const { Name, Type, Position, Directives } = argument;
    if (isReserved(Name)) throw reservedName(argument);
    if (!schema.types.has(namedType(Type))) throw undefinedType(argument);
    const kind = schema.kindOf(Type);
    if (!inputKinds.includes(kind)) {
      const reason = `because ${kind} is not a valid input type`;
      throw new GraphqlError(`cannot use ${typeRefText(typeRef(Type))} as argument ${Name} ${reason}`, Position);
    }
    if (Directives.length > 0) checkDirectives(Directives, 'ARGUMENT_DEFINITION', schema, { within });
  }
}

/** An input object's fields. */
export function checkInputFields(fields: readonly InputDefinition[], schema: SchemaIndex): void {
  for (const { Name, Type, Position } of fields) {
    const kind = schema.kindOf(Type);
    if (!inputKinds.includes(kind))
      throw new GraphqlError(`${kind} ${Name}: field must be one of ${inputKinds.join(', ')}.`, Position);
  }
}

interface DirectiveUse {
  readonly within?: DirectiveDefinition | undefined;
  /** Whether the directives are at several places, such as a type and its extensions. */
  readonly severalPlaces?: boolean;
}

export function checkDirectives(
  directives: readonly GraphqlDirective[],
  location: string,
  schema: SchemaIndex,
  { within, severalPlaces = false }: DirectiveUse = {},
): void {
  const seen = new Set<string>();
  for (const directive of directives) {
    const { Name, Position } = directive;
    if (isReserved(Name)) throw reservedName(directive);
    if (Name === within?.Name) throw new GraphqlError(`Directive ${Name} cannot refer to itself.`, Position);
    const definition = schema.directives.get(Name);
    if (definition === undefined) throw new GraphqlError(`Undefined directive ${Name}.`, Position);
    if (seen.has(Name) && !severalPlaces && !definition.IsRepeatable) {
      throw new GraphqlError(`The directive ${Name} can only be used once at this location.`, Position);
    }
    seen.add(Name);
    if (!definition.Locations.includes(location))
      throw new GraphqlError(`Directive ${Name} is not applicable on ${location}.`, Position);
    checkGivenArguments(directive, definition);
  }
}

function checkGivenArguments({ Name, Arguments, Position }: GraphqlDirective, definition: DirectiveDefinition): void {
  const known = new Set(definition.Arguments.map((argument) => argument.Name));
  for (const argument of Arguments) {
    if (!known.has(argument.Name)) {
      throw new GraphqlError(`Undefined argument ${argument.Name} for directive ${Name}.`, argument.Position);
    }
  }
  for (const required of definition.Arguments.filter(isRequired)) {
    const value = Arguments.find((argument) => argument.Name === required.Name)?.Value ?? null;
    if (value === null || value.Kind === literalKind.null) {
      throw new GraphqlError(`Argument ${required.Name} for directive ${Name} cannot be null.`, Position);
    }
  }
}

/** Whether a value has to be given. */
export function isRequired({ Type, DefaultValue }: InputDefinition): boolean {
  return Type?.NonNull === true && DefaultValue === null;
}

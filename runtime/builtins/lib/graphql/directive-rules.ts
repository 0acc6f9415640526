/** Rules for names, arguments and directives of schemas: each yields the mistakes that it finds. */
import { type Directive, type DirectiveDefinition, type InputDefinition, literalKind } from './ast.js';
import { GraphqlError } from './errors.js';
import type { Position } from './lexer.js';
import type { SchemaIndex } from './schema-index.js';
import { refText, typeRef } from './type-ref.js';

export type Mistakes = Generator<GraphqlError, void>;

const inputKinds: readonly string[] = ['SCALAR', 'ENUM', 'INPUT_OBJECT'];

export function* nameMistakes(name: string, position: Position | undefined): Mistakes {
  if (!name.startsWith('__')) return;
  yield new GraphqlError(`Name "${name}" must not begin with "__", which is reserved by GraphQL introspection.`, position);
}

/** A name that stands twice among the parts of a definition. */
export function* repeatMistakes(
  parts: readonly { readonly Name: string; readonly Position?: Position | undefined }[],
  message: (name: string) => string,
): Mistakes {
  const seen = new Set<string>();
  for (const { Name, Position } of parts) {
    if (seen.has(Name)) yield new GraphqlError(message(Name), Position);
    seen.add(Name);
  }
}

export function* typeNameMistakes({ Type }: InputDefinition, schema: SchemaIndex): Mistakes {
  const { name } = typeRef(Type);
  if (!schema.types.has(name)) yield new GraphqlError(`Undefined type ${name}.`, Type?.Position);
}

/** `within` is the directive that has the arguments, which may not use itself. */
export function* argumentMistakes(args: readonly InputDefinition[], schema: SchemaIndex, within?: DirectiveDefinition): Mistakes {
  for (const argument of args) {
    const { Name, Type, Position, Directives } = argument;
    yield* nameMistakes(Name, Position);
    yield* typeNameMistakes(argument, schema);
    const kind = schema.kindOf(Type);
    if (!inputKinds.includes(kind)) {
      const reason = `because ${kind} is not a valid input type`;
      yield new GraphqlError(`cannot use ${refText(typeRef(Type))} as argument ${Name} ${reason}`, Position);
    }
    yield* directiveMistakes(Directives, 'ARGUMENT_DEFINITION', schema, { within });
  }
}

/** An input object's fields. */
export function* inputFieldMistakes(fields: readonly InputDefinition[], schema: SchemaIndex): Mistakes {
  for (const { Name, Type, Position } of fields) {
    const kind = schema.kindOf(Type);
    if (!inputKinds.includes(kind)) yield new GraphqlError(`${kind} ${Name}: field must be one of ${inputKinds.join(', ')}.`, Position);
  }
}

interface DirectiveUse {
  readonly within?: DirectiveDefinition | undefined;
  /**
   * Whether the directives stand at several places, as those of a type and of its extensions do.
   */
  readonly severalPlaces?: boolean;
}

export function* directiveMistakes(
  directives: readonly Directive[],
  location: string,
  schema: SchemaIndex,
  { within, severalPlaces = false }: DirectiveUse = {},
): Mistakes {
  const seen = new Set<string>();
  for (const directive of directives) {
    const { Name, Position } = directive;
    yield* nameMistakes(Name, Position);
    if (Name === within?.Name) yield new GraphqlError(`Directive ${Name} cannot refer to itself.`, Position);
    const definition = schema.directives.get(Name);
    if (definition === undefined) return yield new GraphqlError(`Undefined directive ${Name}.`, Position);
    if (seen.has(Name) && !severalPlaces && !definition.IsRepeatable) {
      yield new GraphqlError(`The directive ${Name} can only be used once at this location.`, Position);
    }
    seen.add(Name);
    if (!definition.Locations.includes(location)) yield new GraphqlError(`Directive ${Name} is not applicable on ${location}.`, Position);
    yield* givenArgumentMistakes(directive, definition);
  }
}

function* givenArgumentMistakes({ Name, Arguments, Position }: Directive, definition: DirectiveDefinition): Mistakes {
  const known = new Set(definition.Arguments.map((argument) => argument.Name));
  for (const argument of Arguments) {
    if (!known.has(argument.Name)) {
      yield new GraphqlError(`Undefined argument ${argument.Name} for directive ${Name}.`, argument.Position);
    }
  }
  for (const required of definition.Arguments.filter(isRequired)) {
    const value = Arguments.find((argument) => argument.Name === required.Name)?.Value ?? null;
    if (value === null || value.Kind === literalKind.null) {
      yield new GraphqlError(`Argument ${required.Name} for directive ${Name} cannot be null.`, Position);
    }
  }
}

/** Whether a value has to be given. */
export function isRequired({ Type, DefaultValue }: InputDefinition): boolean {
  return Type?.NonNull === true && DefaultValue === null;
}

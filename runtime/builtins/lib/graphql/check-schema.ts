/** The checks of a schema's parts, as the reference makes them. */
import {
  type Definition,
  type Directive,
  type DirectiveDefinition,
  type FieldDefinition,
  type InputDefinition,
  literalKind,
  type Type,
} from './ast.js';
import { GraphqlError } from './errors.js';
import type { Position } from './lexer.js';

const outputKinds = ['SCALAR', 'OBJECT', 'INTERFACE', 'UNION', 'ENUM'];
const inputKinds = ['SCALAR', 'ENUM', 'INPUT_OBJECT'];

/** Units for a field of a definition that is checked. */
const unitsPerField = 50;

/** Checks the parts of a schema. Each check throws a GraphqlError at the first mistake. */
export class SchemaChecker {
  readonly #types: ReadonlyMap<string, Definition>;
  readonly #directives: ReadonlyMap<string, DirectiveDefinition>;
  readonly #tick: (units: number) => void;
  #possible: Map<string, Set<string>> | undefined;

  constructor(types: ReadonlyMap<string, Definition>, directives: ReadonlyMap<string, DirectiveDefinition>, tick: (units: number) => void) {
    this.#types = types;
    this.#directives = directives;
    this.#tick = tick;
  }

  checkDirectiveDefinition(directive: DirectiveDefinition): void {
    checkName(directive.Name, directive.Position);
    this.#checkArguments(directive.Arguments, directive);
  }

  checkDefinition(definition: Definition): void {
    if (definition.BuiltIn && definition.Name.startsWith('__')) return;
    this.#tick(unitsPerField * (1 + definition.Fields.length));
    for (const field of definition.Fields) this.#checkField(definition, field);
    for (const member of definition.Types) this.#checkMember(definition, member);
    for (const name of definition.Interfaces) this.#checkImplements(definition, name);
    this.#checkShape(definition);
    const { Name, Fields, EnumValues, Types, TypePositions = [] } = definition;
    checkUnique(Fields, (again) => `Field ${Name}.${again} can only be defined once.`);
    checkUnique(EnumValues, (again) => `Enum value ${Name}.${again} can only be defined once.`);
    const aligned = TypePositions.length === Types.length;
    const members = Types.map((member, i) => ({ Name: member, Position: aligned ? TypePositions[i] : definition.Position }));
    checkUnique(members, (again) => `Union type ${Name} can only include type ${again} once.`);
    if (!definition.BuiltIn) checkName(definition.Name, definition.Position);
    // A type and each of its extensions are places of their own.
    this.checkDirectives(definition.Directives, definition.Kind, undefined, false);
  }

  #checkField(definition: Definition, field: FieldDefinition): void {
    checkName(field.Name, field.Position);
    this.#checkType(field);
    this.#checkArguments(field.Arguments);
    this.checkDirectives(field.Directives, definition.Kind === 'INPUT_OBJECT' ? 'INPUT_FIELD_DEFINITION' : 'FIELD_DEFINITION');
  }

  #checkMember({ Kind, Position }: Definition, member: string): void {
    const type = this.#types.get(member);
    if (type === undefined) throw new GraphqlError(`Undefined type "${member}".`, Position);
    if (type.Kind !== 'OBJECT') throw new GraphqlError(`${Kind} type "${member}" must be OBJECT.`, Position);
  }

  #checkShape(definition: Definition): void {
    const { Kind, Name, Position, Fields, EnumValues } = definition;
    if (Kind === 'OBJECT' || Kind === 'INTERFACE') {
      if (Fields.length === 0) throw new GraphqlError(`${Kind} ${Name}: must define one or more fields.`, Position);
      for (const field of Fields) {
        if (!outputKinds.includes(this.#kindOf(field))) {
          throw new GraphqlError(`${Kind} ${Name}: field must be one of ${outputKinds.join(', ')}.`, field.Position);
        }
      }
    } else if (Kind === 'ENUM') {
      if (EnumValues.length === 0) throw new GraphqlError(`${Kind} ${Name}: must define one or more unique enum values.`, Position);
      for (const value of EnumValues) {
        if (value.Name === 'true' || value.Name === 'false' || value.Name === 'null') {
          throw new GraphqlError(`${Kind} ${Name}: non-enum value ${value.Name}.`, Position);
        }
        this.checkDirectives(value.Directives, 'ENUM_VALUE');
      }
    } else if (Kind === 'INPUT_OBJECT') {
      if (Fields.length === 0) throw new GraphqlError(`${Kind} ${Name}: must define one or more input fields.`, Position);
      for (const field of Fields) {
        const kind = this.#kindOf(field);
        if (!inputKinds.includes(kind)) {
          throw new GraphqlError(`${kind} ${field.Name}: field must be one of ${inputKinds.join(', ')}.`, field.Position);
        }
      }
    }
  }

  #kindOf(field: InputDefinition): string {
    return this.#types.get(baseName(field.Type))?.Kind ?? '';
  }

  #checkType(of: InputDefinition): void {
    const name = baseName(of.Type);
    if (!this.#types.has(name)) throw new GraphqlError(`Undefined type ${name}.`, of.Type?.Position);
  }

  #checkArguments(args: readonly InputDefinition[], directive?: DirectiveDefinition): void {
    for (const argument of args) {
      checkName(argument.Name, argument.Position);
      this.#checkType(argument);
      const kind = this.#kindOf(argument);
      if (!inputKinds.includes(kind)) {
        const message = `cannot use ${typeText(argument.Type)} as argument ${argument.Name} because ${kind} is not a valid input type`;
        throw new GraphqlError(message, argument.Position);
      }
      this.checkDirectives(argument.Directives, 'ARGUMENT_DEFINITION', directive);
    }
  }

  checkDirectives(directives: readonly Directive[], location: string, within?: DirectiveDefinition, onePlace = true): void {
    const seen = new Set<string>();
    for (const directive of directives) {
      const { Name, Position } = directive;
      checkName(Name, Position);
      if (Name === within?.Name) throw new GraphqlError(`Directive ${Name} cannot refer to itself.`, Position);
      const definition = this.#directives.get(Name);
      if (definition === undefined) throw new GraphqlError(`Undefined directive ${Name}.`, Position);
      if (onePlace && seen.has(Name) && !definition.IsRepeatable) {
        throw new GraphqlError(`The directive ${Name} can only be used once at this location.`, Position);
      }
      seen.add(Name);
      if (!definition.Locations.includes(location)) throw new GraphqlError(`Directive ${Name} is not applicable on ${location}.`, Position);
      checkDirectiveArguments(directive, definition);
    }
  }

  #checkImplements(definition: Definition, name: string): void {
    const { Name, Position } = definition;
    const wanted = this.#types.get(name);
    if (wanted === undefined) throw new GraphqlError(`Undefined type "${name}".`, Position);
    if (wanted.Kind !== 'INTERFACE') throw new GraphqlError(`"${name}" is a non interface type ${wanted.Kind}.`, Position);
    const fields = new Map(definition.Fields.map((field) => [field.Name, field]));
    for (const required of wanted.Fields) {
      const found = fields.get(required.Name);
      if (found === undefined)
        throw new GraphqlError(`For ${Name} to implement ${name} it must have a field called ${required.Name}.`, Position);
      this.#checkImplementedField(definition, wanted, required, found);
    }
    for (const inherited of wanted.Interfaces) {
      if (definition.Interfaces.includes(inherited)) continue;
      if (inherited === Name) {
        throw new GraphqlError(`Type ${Name} cannot implement ${name} because it would create a circular reference.`, Position);
      }
      throw new GraphqlError(`Type ${Name} must implement ${inherited} because it is implemented by ${name}.`, Position);
    }
  }

  #checkImplementedField(definition: Definition, wanted: Definition, required: FieldDefinition, found: FieldDefinition): void {
    const subject = `For ${definition.Name} to implement ${wanted.Name}`;
    const theField = `the field ${required.Name} must have`;
    if (!this.#covers(required.Type, found.Type)) {
      throw new GraphqlError(`${subject} ${theField} type ${typeText(required.Type)}.`, found.Position);
    }
    for (const argument of required.Arguments) {
      const own = found.Arguments.find(({ Name }) => Name === argument.Name);
      if (own === undefined) {
        throw new GraphqlError(`${subject} ${theField} the same arguments but it is missing ${argument.Name}.`, found.Position);
      }
      if (!isCompatible(argument.Type, own.Type)) {
        throw new GraphqlError(`${subject} ${theField} the same arguments but ${argument.Name} has the wrong type.`, own.Position);
      }
    }
    for (const own of found.Arguments) {
      const isExtra = !required.Arguments.some(({ Name }) => Name === own.Name);
      if (isExtra && own.Type?.NonNull === true && own.DefaultValue === null) {
        const must = 'must be optional or have a default value';
        throw new GraphqlError(`${subject} any additional arguments on ${found.Name} ${must} but ${own.Name} is required.`, own.Position);
      }
    }
  }

  /** Whether a field of type `actual` may stand where `required` is asked for. */
  #covers(required: Type | null, actual: Type | null): boolean {
    if (required === null || actual === null) return required === actual;
    if (required.NonNull && !actual.NonNull) return false;
    if (required.NamedType === '') return actual.Elem !== null && this.#covers(required.Elem, actual.Elem);
    return required.NamedType === actual.NamedType || this.#possibleTypes(required.NamedType).has(actual.NamedType);
  }

  #possibleTypes(name: string): ReadonlySet<string> {
    if (this.#possible === undefined) {
      this.#possible = new Map();
      for (const definition of this.#types.values()) {
        for (const member of definition.Types) this.#addPossible(definition.Name, member);
        for (const implemented of definition.Interfaces) this.#addPossible(implemented, definition.Name);
      }
    }
    return this.#possible.get(name) ?? new Set();
  }

  #addPossible(name: string, member: string): void {
    const members = this.#possible!.get(name);
    if (members === undefined) this.#possible!.set(name, new Set([member]));
    else members.add(member);
  }
}

function checkDirectiveArguments({ Name, Arguments, Position }: Directive, definition: DirectiveDefinition): void {
  for (const argument of Arguments) {
    if (!definition.Arguments.some((known) => known.Name === argument.Name)) {
      throw new GraphqlError(`Undefined argument ${argument.Name} for directive ${Name}.`, argument.Position);
    }
  }
  for (const { Name: wanted, Type, DefaultValue } of definition.Arguments) {
    if (Type?.NonNull !== true || DefaultValue !== null) continue;
    const given = Arguments.find((argument) => argument.Name === wanted)?.Value;
    if (given === undefined || given === null || given.Kind === literalKind.null) {
      throw new GraphqlError(`Argument ${wanted} for directive ${Name} cannot be null.`, Position);
    }
  }
}

function isCompatible(a: Type | null, b: Type | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.NamedType !== b.NamedType) return false;
  if (a.Elem !== null && !isCompatible(a.Elem, b.Elem)) return false;
  return !b.NonNull || a.NonNull;
}

function checkUnique(
  parts: readonly { readonly Name: string; readonly Position?: Position | undefined }[],
  message: (name: string) => string,
): void {
  const names = new Set<string>();
  for (const { Name, Position } of parts) {
    if (names.has(Name)) throw new GraphqlError(message(Name), Position);
    names.add(Name);
  }
}

function checkName(name: string, position: Position | undefined): void {
  if (name.startsWith('__')) {
    throw new GraphqlError(`Name "${name}" must not begin with "__", which is reserved by GraphQL introspection.`, position);
  }
}

function baseName(type: Type | null): string {
  let at = type;
  while (at !== null && at.NamedType === '' && at.Elem !== null) at = at.Elem;
  return at?.NamedType ?? '';
}

/** A type as it is written: `[String!]!`. */
function typeText(type: Type | null): string {
  if (type === null) return '';
  const text = type.Elem === null ? type.NamedType : `[${typeText(type.Elem)}]`;
  return type.NonNull ? `${text}!` : text;
}

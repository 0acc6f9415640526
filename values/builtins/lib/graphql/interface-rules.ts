/** Rules for types that implement interfaces. */
import type { FieldDefinition, GraphqlDefinition } from './ast.js';
import { isRequired } from './directive-rules.js';
import { GraphqlError } from './graphql-errors.js';
import type { SchemaIndex } from './schema-index.js';
import { haveSameDepth, isStricter, type TypeRef, typeRef, typeRefText } from './type-ref.js';

/** A type and an interface that it names. */
interface Implementation {
  readonly type: GraphqlDefinition;
  readonly wanted: GraphqlDefinition;
}

export function checkInterfaces(type: GraphqlDefinition, schema: SchemaIndex): void {
  for (const name of type.Interfaces) {
    const wanted = schema.types.get(name);
    if (wanted === undefined) throw new GraphqlError(`Undefined type "${name}".`, type.Position);
    if (wanted.Kind !== 'INTERFACE')
      throw new GraphqlError(`"${name}" is a non interface type ${wanted.Kind}.`, type.Position);
    const implementation = { type, wanted };
    checkFields(implementation, schema);
    checkInheritance(implementation);
  }
}

function checkFields({ type, wanted }: Implementation, schema: SchemaIndex): void {
  const subject = `For ${type.Name} to implement ${wanted.Name}`;
  const own = new Map(type.Fields.map((field) => [field.Name, field]));
  for (const required of wanted.Fields) {
    const field = own.get(required.Name);
    if (field === undefined) {
      throw new GraphqlError(`${subject} it must have a field called ${required.Name}.`, type.Position);
    }
    const mustHave = `${subject} the field ${required.Name} must have`;
    const wantedType = typeRef(required.Type);
    if (!isCovered(typeRef(field.Type), wantedType, schema)) {
      throw new GraphqlError(`${mustHave} type ${typeRefText(wantedType)}.`, field.Position);
    }
    checkSharedArguments(field, required, `${mustHave} the same arguments but`);
    checkFurtherArguments(field, required, subject);
  }
}

/** Whether a field of one type may stand where an interface has another. */
function isCovered(own: TypeRef, wanted: TypeRef, schema: SchemaIndex): boolean {
  if (!haveSameDepth(own, wanted) || !isStricter(own, wanted)) return false;
  return own.name === wanted.name || schema.isMember(own.name, wanted.name);
}

function checkSharedArguments(field: FieldDefinition, required: FieldDefinition, complaint: string): void {
  for (const { Name, Type } of required.Arguments) {
    const own = field.Arguments.find((argument) => argument.Name === Name);
    if (own === undefined) throw new GraphqlError(`${complaint} it is missing ${Name}.`, field.Position);
    const [wanted, given] = [typeRef(Type), typeRef(own.Type)];
    const fits = wanted.name === given.name && haveSameDepth(wanted, given) && isStricter(wanted, given);
    if (!fits) throw new GraphqlError(`${complaint} ${Name} has the wrong type.`, own.Position);
  }
}

function checkFurtherArguments(field: FieldDefinition, required: FieldDefinition, subject: string): void {
  const shared = new Set(required.Arguments.map(({ Name }) => Name));
  for (const own of field.Arguments) {
    if (shared.has(own.Name) || !isRequired(own)) continue;
    const rule = `any additional arguments on ${field.Name} must be optional or have a default value`;
    throw new GraphqlError(`${subject} ${rule} but ${own.Name} is required.`, own.Position);
  }
}

/** Interfaces that the interface itself implements have to be named as well. */
function checkInheritance({ type, wanted }: Implementation): void {
  for (const inherited of wanted.Interfaces) {
    if (type.Interfaces.includes(inherited)) continue;
    throw inherited === type.Name
      ? new GraphqlError(
          `Type ${inherited} cannot implement ${wanted.Name} because it would create a circular reference.`,
          type.Position,
        )
      : new GraphqlError(
          `Type ${type.Name} must implement ${inherited} because it is implemented by ${wanted.Name}.`,
          type.Position,
        );
  }
}

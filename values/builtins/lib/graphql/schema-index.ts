/** The types and directives of a schema by name, for the rules that schemas have to keep. */
import type { DirectiveDefinition, GraphqlDefinition, GraphqlType } from './ast.js';
import { namedType } from './type-ref.js';

export class SchemaIndex {
  readonly types: ReadonlyMap<string, GraphqlDefinition>;
  readonly directives: ReadonlyMap<string, DirectiveDefinition>;
  /** Members of unions and implementations of interfaces. */
  #members: Map<string, Set<string>> | undefined;

  constructor(types: ReadonlyMap<string, GraphqlDefinition>, directives: ReadonlyMap<string, DirectiveDefinition>) {
    this.types = types;
    this.directives = directives;
  }

  /**
   * The kind of the type that a field or argument has in the end; empty where there is no such
   * type.
   */
  kindOf(type: GraphqlType | null): string {
    return this.types.get(namedType(type))?.Kind ?? '';
  }

  isMember(name: string, of: string): boolean {
    this.#members ??= membersOf(this.types.values());
    return this.#members.get(of)?.has(name) === true;
  }
}

function membersOf(definitions: Iterable<GraphqlDefinition>): Map<string, Set<string>> {
  const members = new Map<string, Set<string>>();
  const add = (of: string, name: string) => {
    const known = members.get(of);
    if (known === undefined) members.set(of, new Set([name]));
    else known.add(name);
  };
  for (const { Name, Types, Interfaces } of definitions) {
    for (const member of Types) add(Name, member);
    for (const implemented of Interfaces) add(implemented, Name);
  }
  return members;
}

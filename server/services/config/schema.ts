/** Parts of the schema of configurations. */

export const string = { type: 'string' } as const;
export const boolean = { type: 'boolean' } as const;
export const integer = { type: 'integer' } as const;
export const number = { type: 'number' } as const;
export const strings = { type: 'array', items: string } as const;
export const numbers = { type: 'array', items: number } as const;
export const anything = {} as const;

export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: { readonly [name: string]: Schema };
  /** The schema of members whose keys are names, such as the names of services. */
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly (string | number)[];
}

export function object(properties: { readonly [name: string]: Schema }): Schema {
  return { type: 'object', properties };
}

export function byName(additionalProperties: Schema): Schema {
  return { type: 'object', additionalProperties };
}

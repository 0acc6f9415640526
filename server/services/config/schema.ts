/** Parts of the schema of configurations. */

export const stringSchema = { type: 'string' } as const;
export const booleanSchema = { type: 'boolean' } as const;
export const integerSchema = { type: 'integer' } as const;
export const numberSchema = { type: 'number' } as const;
export const stringListSchema = { type: 'array', items: stringSchema } as const;
export const numberListSchema = { type: 'array', items: numberSchema } as const;
export const anySchema = {} as const;

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

export function objectSchema(properties: { readonly [name: string]: Schema }): Schema {
  return { type: 'object', properties };
}

export function mapSchema(additionalProperties: Schema): Schema {
  return { type: 'object', additionalProperties };
}

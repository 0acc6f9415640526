/** A violation of the plan schema: where in the document, which keyword, and its details. */
export interface SchemaViolation {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Checks a value; `errors` holds the faults that the last call found. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaViolation[] | null;
}

/** Checks a whole plan. */
export declare const validate: Validator;

/** Checks one block. */
export declare const validateBlock: Validator;

/** The result for operands that meet all conditions; of others the built-in is called. */
export interface Inline {
  readonly conditions: readonly string[];
  readonly result: string;
}

/** The types of functions that make the input of a decision. */

/** A function that makes the input of a decision of what a framework gives to it. */
export type InputOf<Args extends readonly unknown[], Made> = (...args: Args) => Made | PromiseLike<Made>;

/**
 * A constraint of the type of what such a function returns. A type parameter of its own keeps
 * literals; with this constraint, the compiler finds members that the policy's input does not have.
 * An input without a type may have any.
 */
export type Checked<Input, Made> = unknown extends Input
  ? unknown
  : Input & { readonly [Member in Exclude<keyof Made, Keys<Input>>]: never };

type Keys<T> = T extends unknown ? keyof T : never;

/** Messages for the platform's RangeErrors that do not depend on its wording. */

/** Values nest too deeply for a walk that does not recurse, and so has no stack to overflow. */
export class DepthError extends RangeError {}

/** Whether values nest too deeply to be walked. */
export function isStackOverflow(error: unknown): boolean {
  return (
    error instanceof DepthError || (error instanceof RangeError && /call stack|too much recursion/i.test(error.message))
  );
}

const tooLarge =
  /^(?:Invalid (?:string|array|typed array) length|(?:Map|Set) maximum size|Maximum BigInt size|Array buffer allocation)/;

/**
 * The message for a RangeError about the size or depth of values; undefined for all other errors.
 */
export function rangeComplaint(error: unknown): string | undefined {
  if (isStackOverflow(error)) return 'values nest too deeply';
  return error instanceof RangeError && tooLarge.test(error.message) ? 'a value is too large' : undefined;
}

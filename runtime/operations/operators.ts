/**
 * The numbers of relations and operators, for lowering. They are apart from the functions that
 * the VM calls for them: a file that both the VM and lowering import would be in a chunk of its
 * own in the library, and each call would go through the chunk's exports.
 */

/** The relations that `relates` decides, by the built-in that tests them. */
export const relations: ReadonlyMap<string, number> = new Map([
  ['lt', 0],
  ['lte', 1],
  ['gt', 2],
  ['gte', 3],
  ['equal', 4],
  ['neq', 5],
]);

/** The operators that `quickResult` computes, by their built-in. */
export const operators: ReadonlyMap<string, number> = new Map([
  ['plus', 0],
  ['minus', 1],
  ['mul', 2],
]);

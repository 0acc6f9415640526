/** The quick check for JSON: it runs before a decision and gives up at anything unusual. */

/** With more objects than these the full check visits each once, since some may be shared. */
export const manyObjects = 1_000_000;

/** The objects that the quick check still visits. */
export const visits = { left: 0 };

const objectPrototype = Object.prototype;

/**
 * Whether a value consists of JSON values only; false where the full check has to tell. The root
 * has a loop of its own: most inputs of an engine have roots of one shape, which V8 then knows. An
 * object made by `Object.create` inherits the constructor of its prototype: only the root is
 * checked for this.
 */
export function isPlainJson(root: unknown): boolean {
  visits.left = manyObjects;
  if (typeof root !== 'object') return isPlainScalar(root);
  if (root === null) return true;
  if (root.constructor !== Object || Object.getPrototypeOf(root) !== objectPrototype)
    return Array.isArray(root) && isPlainArray(root);
  for (const key in root) {
    const member = (root as Record<string, unknown>)[key];
    if (typeof member === 'object') {
      if (member !== null && !isPlainObject(member)) return false;
    } else if (!isPlainScalar(member)) return false;
  }
  return true;
}

/** Whether a part of a document is plain, its own parts left out. */
export function isPlainPart(part: unknown): boolean {
  return typeof part === 'object' ? part === null || isPlainObject(part) : isPlainScalar(part);
}

/**
 * It reads the constructor, since reading the prototype takes twice the time; a key of that name
 * counts as unusual.
 */
function isPlainObject(value: object): boolean {
  if (--visits.left < 0) return false;
  if (Array.isArray(value)) return isPlainArray(value);
  if (value.constructor !== Object) return false;
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'object') {
      if (member !== null && !isPlainObject(member)) return false;
    } else if (!isPlainScalar(member)) return false;
  }
  return true;
}

function isPlainArray(value: readonly unknown[]): boolean {
  for (let i = 0; i < value.length; i++) {
    const element = value[i];
    if (typeof element === 'object') {
      if (element !== null && !isPlainObject(element)) return false;
    } else if (!isPlainScalar(element)) return false;
  }
  return true;
}

function isPlainScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && value - value === 0);
}

/** Names that a value may have without being a key of the document. */
import { ExactNumber, RegoObject, RegoSet } from '../../../values/index.js';

function namesOf(...objects: readonly object[]): ReadonlySet<string> {
  return new Set(objects.flatMap((object) => Object.getOwnPropertyNames(object)));
}

/** Names of members that all objects and arrays inherit. */
export const inheritedNames = namesOf(Object.prototype, Array.prototype);

/** Names of members that strings, numbers and booleans inherit. */
export const scalarNames = namesOf(String.prototype, Number.prototype, Boolean.prototype);

/** Names of members of our value classes, with their own fields. */
export const valueClassNames = namesOf(
  ...[new RegoObject(), new RegoSet(), new ExactNumber('1.0')].flatMap((value) => {
    const chain: object[] = [];
    for (let one: object = value; one !== Object.prototype; one = Object.getPrototypeOf(one)) chain.push(one);
    return chain;
  }),
);

/**
 * The base class of our value classes: any other object that is not an array is a document's
 * object.
 */
export abstract class ValueClass {}

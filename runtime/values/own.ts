/** The common ground of the value classes that are ours: whatever is an object and none of these and no array is a document's object. */
export abstract class OwnClass {}

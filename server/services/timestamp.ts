/** Times in the reference's layout. */

/** The timestamp of an event that has not happened. */
export const neverStamp = '0001-01-01T00:00:00Z';

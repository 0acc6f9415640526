/** The keywords of the language, in a sentence. */
export const keywordTexts: Readonly<Record<string, string>> = {
  package: 'Names the package of the file: the path below `data` of its rules.',
  import: 'Makes a package, a rule or a document known by the last name of its path, or by the one after `as`.',
  as: 'Gives an import, or nothing else, a name of its own.',
  default: 'The value of a rule for which no body holds: a constant.',
  if: 'Begins the body of a rule: the conditions that must all hold.',
  contains: 'Adds a member to the set that the rules of this name make together.',
  else: 'The rule’s value where the bodies before it do not hold.',
  not: 'Holds where the expression is undefined or false. It binds no variables.',
  some: 'Declares variables of this body; with `in`, it visits the members of a collection.',
  every: 'Holds if its body does for all members of a collection, and for an empty one.',
  in: 'Whether a collection has a member; after `some` and `every`, the collection to visit.',
  with: 'Replaces a document, or a function, while one expression is evaluated.',
  true: 'The boolean value.',
  false: 'The boolean value.',
  null: 'The value null.',
};

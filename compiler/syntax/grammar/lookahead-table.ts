/** Written by scripts/build/lookahead.ts, from the grammar; a test compares the two. */

// biome-ignore-all format: one line for each rule
export const table = {
  or: {
    module: [["package"],["import"],["identifier","default"],["number","string","template-string-part","template-string-end","[","{","(",".","minus","not","some","null","true","false","contains","every"]],
    elseBranch: [["{"],["identifier","number","string","template-string-part","template-string-end","[","(",".","minus","not","some","null","true","false","contains","every"]],
    literal: [["some"],["every"],["identifier","number","string","template-string-part","template-string-end","[","{","(",".","minus","null","true","false","contains"]],
    term: [["identifier"],["string"],["number"],["["],["{"],["true"],["false"],["null"],["contains"],["("],["minus"],["."],["template-string-part","template-string-end"]],
    suffixes: [["."],["["],["("]],
  },
  option: {
    rule: ["default"],
    elseBranch: ["if"],
    body: [";"],
    literal: ["not"],
    operand: ["not"],
    array: [","],
    setOrObject: [","],
  },
  many: {
    module: ["identifier","number","string","template-string-part","template-string-end","[","{","(",".","minus","package","import","default","not","some","null","true","false","contains","every"],
    query: ["identifier","number","string","template-string-part","template-string-end","[","{","(",".","minus","not","some","null","true","false","contains","every"],
    body: ["identifier","number","string","template-string-part","template-string-end","[","{","(",";",".","minus","not","some","null","true","false","contains","every"],
    statementQuery: [";"],
    modifiers: ["with"],
    suffixes: ["[","(","."],
    template: ["template-string-part"],
    moreElements: [","],
    moreEntries: [","],
  },
  list: {
    someDeclaration: ["identifier"],
  },
} as const;

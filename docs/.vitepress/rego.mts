/** How Rego is highlighted on the site. */
export const rego = {
  name: 'rego',
  scopeName: 'source.rego',
  patterns: [
    { name: 'comment.line.number-sign.rego', match: '#.*$' },
    {
      name: 'string.quoted.double.rego',
      begin: '\\$?"',
      end: '"',
      patterns: [{ name: 'constant.character.escape.rego', match: '\\\\.' }],
    },
    { name: 'string.quoted.other.rego', begin: '`', end: '`' },
    { name: 'constant.numeric.rego', match: '\\b\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?\\b' },
    { name: 'constant.language.rego', match: '\\b(?:true|false|null)\\b' },
    {
      name: 'keyword.control.rego',
      match: '(?<![.\\w])(?:package|import|as|default|if|contains|else|not|some|every|in|with|and|or)(?!\\w)',
    },
    { name: 'variable.language.rego', match: '(?<![.\\w])(?:input|data)(?!\\w)' },
    { name: 'entity.name.function.rego', match: '[A-Za-z_][\\w.]*(?=\\()' },
    { name: 'keyword.operator.rego', match: ':=|==|!=|<=|>=|[-+*/%&|<>=]' },
  ],
  repository: {},
};

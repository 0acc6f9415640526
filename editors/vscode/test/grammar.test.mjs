/** The grammar, by the tokeniser of the editor. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const require = createRequire(import.meta.url);
const folder = join(import.meta.dirname, '..');
const path = join(folder, 'syntaxes/rego.tmLanguage.json');

await oniguruma.loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(path, 'utf8'), path),
});
const grammar = await registry.loadGrammar('source.rego');

/** The tokens of a text that have a scope of their own. */
function tokensOf(text) {
  let state = textmate.INITIAL;
  return text.split('\n').flatMap((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    return tokens.map(({ startIndex, endIndex, scopes }) => [
      line.slice(startIndex, endIndex),
      scopes.slice(1).join(' '),
    ]);
  });
}

for (const [text, ...expected] of [
  ['package shop.authz', ['package', 'keyword.other.package.rego'], ['shop.authz', 'entity.name.namespace.rego']],
  [
    'import data.roles as r',
    ['import', 'keyword.control.import.rego'],
    ['as', 'keyword.control.as.rego'],
    ['r', 'entity.name.namespace.rego'],
  ],
  [
    'default allow := false',
    ['default ', 'keyword.other.default.rego'],
    ['allow', 'entity.name.function.rule.rego'],
    [':=', 'keyword.operator.rego'],
    ['false', 'constant.language.rego'],
  ],
  [
    'allow if input.user == "ann" # why',
    ['allow', 'entity.name.function.rule.rego'],
    ['if', 'keyword.control.rego'],
    ['input', 'variable.language.rego'],
    ['user', 'variable.other.property.rego'],
    ['# why', 'comment.line.number-sign.rego'],
  ],
  [
    'names contains name if some name in data.names',
    ['contains', 'keyword.operator.word.rego'],
    ['some', 'keyword.control.rego'],
    ['in', 'keyword.operator.word.rego'],
  ],
  ['x := contains("abc", "b")', ['contains', 'entity.name.function.call.rego']],
  ['y := json.patch(x, [1.5e3])', ['json.patch', 'entity.name.function.call.rego'], ['1.5e3', 'constant.numeric.rego']],
  [
    'z := "a\\n\\q"',
    ['\\n', 'string.quoted.double.rego constant.character.escape.rego'],
    ['\\q', 'string.quoted.double.rego invalid.illegal.escape.rego'],
  ],
  ['z := `a\n# b` # c', ['# b', 'string.quoted.other.raw.rego'], ['# c', 'comment.line.number-sign.rego']],
  [
    'z := $"a {input.b[{"k": 1}.k]} c" == 1',
    ['input', 'string.interpolated.rego meta.embedded.expression.rego variable.language.rego'],
    [' c', 'string.interpolated.rego'],
    ['==', 'keyword.operator.rego'],
  ],
  ['v := notice', ['notice', 'variable.other.rego']],
]) {
  test(`tokens of ${JSON.stringify(text)}`, () => {
    const tokens = tokensOf(text);
    for (const token of expected)
      assert.deepEqual(
        tokens.find(([part, scopes]) => part === token[0] && scopes === token[1]),
        token,
        JSON.stringify(tokens),
      );
  });
}

test('no string or comment of the idioms runs on into the next rule', () => {
  const idioms = join(folder, '../../fixtures/idioms');
  const files = readdirSync(idioms, { recursive: true }).filter((name) => name.endsWith('.rego'));
  assert.ok(files.length > 3);
  for (const name of files) {
    let state = textmate.INITIAL;
    for (const line of readFileSync(join(idioms, name), 'utf8').split('\n'))
      ({ ruleStack: state } = grammar.tokenizeLine(line, state));
    assert.equal(state.depth, 1, name);
  }
});

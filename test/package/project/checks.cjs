// Checks of the installed library, independent of the way it was loaded: by title, each a function
// of the library. Plain CommonJS, because they run in projects with nothing but the package, and
// under their test runners.
const { readdirSync, readFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const { builtinPlan, checkRow } = require('./builtin-rows.cjs');
const { network } = require('./network.cjs');

const folder = join(__dirname, 'fixtures/builtins');

/**
 * A check of each family of built-ins: all of its rows, each by a plan that calls the built-in with
 * operands from the input.
 */
const families = readdirSync(folder).map((file) => {
  const check = async ({ writ }) => {
    const rows = writ.parseJson(readFileSync(join(folder, file), 'utf8'));
    const engine = await writ.Engine.open(builtinPlan(rows), { runtime: { env: { HOME: '/root' }, version: 'test' } });
    const problems = [];
    for (const row of rows) {
      const problem = await checkRow(writ, engine, row);
      if (problem !== undefined) problems.push(`${row.builtin}, ${row.note}: ${problem}`);
    }
    if (problems.length > 0) throw new Error(problems.join('\n'));
  };
  return [`built-ins: ${basename(file, '.json')}`, check];
});

const equal = (found, wanted) => {
  const [a, b] = [found, wanted].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`${a} instead of ${b}`);
};

const policies = {
  'all.rego': `package all
query if graphql.is_valid("{a}", "type Query { a: String }")
module := rego.parse_module("a.rego", "package a.b")["package"].path[2].value
document := yaml.unmarshal("a: [1]").a
pattern if regex.match("^a+$", "aaa")
draft if json.verify_schema({"$schema": "http://json-schema.org/draft-06/schema#", "type": "string"})[0]
token if io.jwt.verify_hs256(io.jwt.encode_sign({"alg": "HS256"}, {}, {"kty": "oct", "k": "c2VjcmV0"}), "secret")

# METADATA
# title: told
titled := rego.metadata.rule().title
`,
};

/** Checks of parts of the library that are loaded on demand. */
const parts = {
  'policies with built-ins that load parts of their own': async ({ writ }) => {
    const engine = await writ.Engine.open([{ policies }]);
    const wanted = { document: [1], draft: true, module: 'b', pattern: true, query: true, titled: 'told', token: true };
    equal((await engine.decideAsync('all', {}, { strictBuiltinErrors: true })).result, wanted);
  },
  'policies and data that change': async ({ writ }) => {
    const engine = await writ.Engine.open(['fixtures/bundles/example']);
    equal(engine.decide('authz/allow', { user: 'alice' }), { result: true });
    await engine.setPolicy('more.rego', 'package more\nn := count(data.added)');
    await engine.setData('added', [1, 2]);
    equal(engine.decide('more/n'), { result: 2 });
  },
  'decisions and queries that are prepared': async ({ writ }) => {
    const engine = await writ.Engine.open(['fixtures/bundles/example', { data: { added: [1, 2] } }]);
    const allow = await engine.prepare('authz/allow', { timeMs: 10_000 });
    equal(allow.decide({ user: 'alice' }), { result: true });
    equal(allow.decideText('{"user": "alice"}'), '{"result":true}');
    const query = await engine.prepare({ query: 'n := data.added[_]; n > input' });
    equal(await query.decideAsync(1), { result: [{ n: 2 }] });
    equal(query.decide(2), {});
  },
  'errors and values are of the classes that both entries export': async ({ writ, compiler }) => {
    const refused = (error) => error instanceof writ.CompileErrors && error.diagnostics[0].code === 'rego_unsafe_var_error';
    const wrong = { policies: { 'a.rego': 'package a\np := x' } };
    if (!refused(await writ.Engine.open([wrong]).catch((error) => error))) throw new Error('Engine.open throws something else');
    let thrown;
    try {
      compiler.compile({ ...wrong, entrypoints: ['a/p'] });
    } catch (error) {
      thrown = error;
    }
    if (!refused(thrown)) throw new Error(`compile throws something else: ${thrown}`);
    const engine = await writ.Engine.open([{ policies: { 'a.rego': 'package a\np := {1, 2}' } }]);
    if (!(engine.value('a/p') instanceof writ.RegoSet)) throw new Error('a set is no RegoSet');
  },
  'decisions in threads, which load parts as well, end when they are told to, and end with their engine': async ({ writ }) => {
    const endless = 'package endless\np if { some i in numbers.range(1, 100000); some j in numbers.range(1, 100000); i * j < 0 }';
    const engine = await writ.Engine.open([{ policies: { ...policies, 'endless.rego': endless } }]);
    const here = engine.decide('all', {});
    equal(await engine.decideAsync('all', {}, { thread: true }), here);
    const controller = new AbortController();
    const cancelled = engine.decideAsync('endless/p', {}, { thread: true, signal: controller.signal }).catch((error) => error);
    setTimeout(() => controller.abort(), 50);
    const error = await cancelled;
    if (error.code !== 'eval_cancel_error') throw new Error(`the evaluation ends with ${error}`);
    await engine.close();
  },
  'import and require give the same names, of one copy': async ({ writ, compiler }) => {
    for (const [given, required] of [
      [writ, require('writ')],
      [compiler, require('writ/compiler')],
    ]) {
      for (const [name, value] of Object.entries(required)) if (given[name] !== value) throw new Error(`${name} is another`);
    }
  },
  'signed bundles': async ({ writ }) => {
    const verification = { keyId: 'k', keys: { k: { key: 'secret', algorithm: 'HS256' } } };
    const error = await writ.readBundle('fixtures/bundles/example', { verification }).catch((thrown) => thrown);
    if (!(error instanceof writ.BundleError)) throw new Error(`no BundleError: ${error}`);
  },
  ...network,
};

module.exports = { checks: new Map([...families, ...Object.entries(parts)]) };

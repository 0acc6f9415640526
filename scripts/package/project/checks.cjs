// What the installed library is asked, however it was loaded: checks by title, each a function of the library. Plain CommonJS, for it runs in projects that have
// nothing but the package, and under their test runners.
const { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { basename, join } = require('node:path');
const { builtinPlan, checkRow } = require('./builtin-rows.cjs');
const { network } = require('./network.cjs');

const folder = join(__dirname, 'fixtures/builtins');

/** A check of each family of built-ins: all of its rows, each by a plan that calls the built-in with the operands that the input brings. */
const families = readdirSync(folder).map((file) => {
  const check = async ({ writ }) => {
    const rows = writ.parseJson(readFileSync(join(folder, file), 'utf8'));
    const engine = await openPlan(writ, builtinPlan(rows));
    const problems = [];
    for (const row of rows) {
      const problem = await checkRow(writ, engine, row);
      if (problem !== undefined) problems.push(`${row.builtin}, ${row.note}: ${problem}`);
    }
    if (problems.length > 0) throw new Error(problems.join('\n'));
  };
  return [`built-ins: ${basename(file, '.json')}`, check];
});

/** An engine over a plan file, with the surroundings that the rows expect. */
async function openPlan(writ, plan) {
  const scratch = mkdtempSync(join(tmpdir(), 'writ-plan-'));
  try {
    writeFileSync(join(scratch, 'plan.json'), JSON.stringify(plan));
    return await writ.Engine.open([join(scratch, 'plan.json')], { runtime: { env: { HOME: '/root' }, version: 'test' } });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

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

/** What later parts of the library do: they are loaded when they are first needed. */
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
  'signed bundles': async ({ writ }) => {
    const verification = { keyId: 'k', keys: { k: { key: 'secret', algorithm: 'HS256' } } };
    const error = await writ.readBundle('fixtures/bundles/example', { verification }).catch((thrown) => thrown);
    if (!(error instanceof writ.BundleError)) throw new Error(`no BundleError: ${error}`);
  },
  ...network,
};

module.exports = { checks: new Map([...families, ...Object.entries(parts)]) };

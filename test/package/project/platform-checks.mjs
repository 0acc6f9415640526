// What the library does on each platform, as texts to compare. Nothing of Node is used here.

const policy = `package authz

import data.users

default allow := false

allow if {
	some role in users[input.user]
	startswith(input.path, role)
}

visible if input.item.owner == input.user
`;

const jwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
};

const tokens = `package tokens

key := ${JSON.stringify({ ...jwk, d: '870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE' })}
token := io.jwt.encode_sign({"alg": "ES256"}, {"sub": "alice"}, key)
holds := io.jwt.verify_es256(token, json.marshal({"keys": [${JSON.stringify(jwk)}]}))
forged := io.jwt.verify_es256(concat(".", array.concat(array.slice(split(token, "."), 0, 2), ["AAAA"])), json.marshal({"keys": [${JSON.stringify(jwk)}]}))
`;

const files = { policies: { 'authz.rego': policy }, data: { users: { alice: ['/orders', '/items'] } } };

const long = `package long

counted := count([1 | some a in numbers.range(1, 400); some b in numbers.range(1, 400); a * b == 6])
endless := count([1 | some a in numbers.range(1, 3000); some b in numbers.range(1, 3000); some c in numbers.range(1, 3000); a + b + c == 0])
echo := {"input": input, "set": {3, 1}, "large": 12345678901234567890, "data": data.users.alice, "matches": regex.match("^a+$", input.text)}
`;

/** A decision's outcome as a text. */
async function outcome(decide) {
  try {
    return JSON.stringify(await decide());
  } catch (error) {
    return `${error.name} ${error.code}: ${error.message}`;
  }
}

const titles = {
  async 'decisions of policies'({ Engine }) {
    const engine = await Engine.open(files);
    const found = [engine instanceof Engine, engine.decide('authz/allow', { user: 'alice', path: '/orders/1' })];
    found.push(engine.decide('authz/allow', { user: 'bob', path: '/orders/1' }), engine.decideText('authz/allow', '{"user": 1.50}'));
    found.push(await engine.decideMany('authz/allow', [{ user: 'alice', path: '/items' }, {}]));
    return JSON.stringify(found);
  },

  async 'changes, and watches of them'({ Engine }) {
    const engine = await Engine.open(files);
    const seen = [];
    const watching = engine.watch('authz/allow', { user: 'bob', path: '/x' });
    seen.push((await watching.next()).value.result);
    const next = watching.next();
    await engine.setData('users/bob', ['/x']);
    seen.push((await next).value.result);
    await watching.return();
    await engine.setPolicy('more.rego', 'package more\np := concat("-", ["a", "b"])');
    seen.push(engine.decide('more/p').result);
    seen.push(await outcome(() => engine.setPolicy('more.rego', 'package more\np := nothing(1)')));
    return JSON.stringify(seen);
  },

  async 'explanations, residuals, filters, queries'({ Engine, explanationText }) {
    const engine = await Engine.open(files);
    const { explanation } = await engine.explain('authz/allow', { user: 'alice', path: '/secret' });
    const residual = await engine.partial('data.authz.visible', { unknowns: ['input.item'], input: { user: 'alice' } });
    const target = { target: 'postgresql', unknowns: ['input.item'], input: { user: 'alice' } };
    const query = await engine.prepare({ query: 'data.users[name][_] == "/items"' });
    return JSON.stringify([explanationText(explanation), residual, await engine.filter('authz/visible', target), query.decide()]);
  },

  async 'plans alone load what they call, and more later'({ Engine, toJson }, { plan }) {
    const engine = await Engine.open(plan);
    const found = [engine.decide(plan.plans.plans[0].name, { user: 'alice' })];
    await engine.setPolicy('later.rego', 'package later\np := sprintf("%d", [count(regex.split(",", "a,b"))])');
    found.push(engine.decide('later/p'));
    return toJson(found);
  },

  async 'keys, which wait'({ Engine }) {
    const engine = await Engine.open({ policies: { 'tokens.rego': tokens } });
    const found = [await outcome(() => engine.decide('tokens/holds'))];
    for (const name of ['holds', 'forged', 'holds']) found.push(await outcome(() => engine.decideAsync(`tokens/${name}`)));
    return JSON.stringify(found);
  },

  async 'decisions in threads'({ Engine, arg, builtin, types }) {
    const own = builtin('acme.one', [arg('x', types.any)], types.number, () => 1);
    const policies = { 'long.rego': long, 'tokens.rego': tokens, 'own.rego': 'package own\np := acme.one(1)' };
    const engine = await Engine.open({ policies, data: files.data }, { builtins: [own] });
    const decided = (path, input, options) => outcome(() => engine.decideAsync(path, input, { thread: true, ...options }));
    const found = [await decided('long/counted'), await decided('long/echo', { text: 'aaa' }), await decided('tokens/holds')];
    await engine.setData('users/alice', ['/new']);
    found.push(await decided('long/echo', { text: 'b' }));
    // Where it was then is not known.
    const late = await decided('long/endless', undefined, { timeMs: 300 });
    found.push(late.replace(/long\.rego:\d+: /, ''));
    const stopped = decided('long/endless', undefined, { signal: AbortSignal.timeout(100) });
    found.push(...(await Promise.all([stopped, decided('long/counted')])), await decided('own/p'));
    const closed = decided('long/endless');
    await engine.close();
    found.push(await closed);
    return JSON.stringify(found);
  },

  async 'what is no input'({ Engine }) {
    const engine = await Engine.open(files);
    const found = [];
    for (const input of [new Date(0), { a: [undefined] }, { a: 1n }, Number.NaN])
      found.push(await outcome(() => engine.decide('authz/allow', input)));
    found.push(await outcome(() => Engine.open({ policies: { 'a.rego': 'package a\np := ' } })));
    found.push(await outcome(() => Engine.open(files, { nothing: true })));
    return JSON.stringify(found);
  },
};

/** The text of each check by its title. `plan` is of one entrypoint. */
export async function texts(writ, given) {
  const found = {};
  for (const [title, check] of Object.entries(titles)) found[title] = await check(writ, given).catch((error) => `failed: ${error.stack}`);
  return found;
}

/** The differences between rows of built-ins and their results, by the names of the rows. */
export async function wrongRows(writ, { builtinPlan, checkRow }, text, left) {
  const rows = writ.parseJson(text).filter((row) => !left.has(row.builtin));
  const engine = await writ.Engine.open(builtinPlan(JSON.parse(writ.toJson(rows))));
  const wrong = {};
  for (const row of rows) {
    const problem = await checkRow(writ, engine, row);
    if (problem !== undefined) wrong[`${row.builtin}: ${row.note ?? writ.toJson(row.operands)}`] = problem;
  }
  return wrong;
}

/** The outcome of each case of a list: the results of its plan as JSON, or its error. */
export async function caseOutcomes(writ, text) {
  const found = [];
  for (const { plan, entrypoint, input, data, strict } of writ.parseJson(text)) {
    try {
      const engine = await writ.Engine.open([JSON.parse(writ.toJson(plan)), ...(data === undefined ? [] : [{ data }])]);
      const options = { strictBuiltinErrors: strict === true, timeNs: 1_700_000_000_000_000_000n, random: () => 0.5 };
      found.push((await engine.resultSet(entrypoint, input, options)).map(writ.toJson).join('\n'));
    } catch (error) {
      found.push(`${error.name} ${error.code}: ${error.detail ?? error.message}`);
    }
  }
  return found;
}

/** All of it, with texts of files by name. */
export async function report(writ, rowCode, read) {
  const left = new Set(JSON.parse(await read('left.json')));
  const plan = JSON.parse(await read('plan.json'));
  return {
    texts: await texts(writ, { plan }),
    rows: await wrongRows(writ, rowCode, await read('rows.json'), left),
    cases: await caseOutcomes(writ, await read('cases.json')),
  };
}

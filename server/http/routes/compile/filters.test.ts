import { describe, expect, test } from 'vitest';
import { testServer } from '../../../../test/harness/server/app.js';
import { serve } from '../../../../test/harness/server/http.js';
import { Logger } from '../../../services/logs/logger.js';

const policies = { p: 'package p\n\nallow if input.t[input.column] == input.value\n\nmasks.t.c.replace.value := input.mask' };

async function filter(body: object, type = 'sql.mysql', config = {}) {
  const { ask } = await testServer({ policies, config });
  const { status, text } = await ask('POST', '/v1/compile/p/allow', JSON.stringify(body), { accept: `application/vnd.opa.${type}+json` });
  return { status, body: JSON.parse(text) };
}

const input = { column: 'c', value: 5, mask: '*' };

describe('data filters', () => {
  test('have the masks of a rule of the package', async () => {
    const { body } = await filter({ input, unknowns: ['input.t'], options: { maskRule: 'masks' } });
    expect(body).toEqual({ result: { query: 'WHERE t.c = 5', masks: { t: { c: { replace: { value: '*' } } } } } });
  });

  test('have the requests of their mask rule in their metrics', async () => {
    const { url } = await serve((_, response) => response.end('{}'));
    const masks = `masks.t.c.replace.value := http.send({"method": "GET", "url": "${url}"}).status_code`;
    const { ask } = await testServer({ policies: { p: `package p\n\nallow if input.t.c == 1\n\n${masks}` } });
    const asked = JSON.stringify({ unknowns: ['input.t'], options: { maskRule: 'masks' } });
    const { text } = await ask('POST', '/v1/compile/p/allow?metrics', asked, { accept: 'application/vnd.opa.sql.mysql+json' });
    expect(JSON.parse(text)).toMatchObject({
      result: { masks: { t: { c: { replace: { value: 200 } } } } },
      metrics: { counter_rego_builtin_http_send_network_requests: 1 },
    });
  });

  test.each(['', ' \n'])('take the body %j for no fields: annotations say what is unknown', async (body) => {
    const annotated = '# METADATA\n# scope: package\n# compile:\n#   unknowns: [input.t]\npackage p\n\nallow if input.t.c == 1';
    const { ask } = await testServer({ policies: { p: annotated } });
    const { status, text } = await ask('POST', '/v1/compile/p/allow', body, { accept: 'application/vnd.opa.sql.mysql+json' });
    expect({ status, body: JSON.parse(text) }).toEqual({ status: 200, body: { result: { query: 'WHERE t.c = 1' } } });
  });

  test('have hints about names that are nearly those of unknowns, of one part too', async () => {
    const { ask } = await testServer({ policies: { p: 'package p\n\nallow if input.prise == "free"\n\nallow if input.prise.net == 0' } });
    const asked = JSON.stringify({ unknowns: ['input.price'] });
    const { text } = await ask('POST', '/v1/compile/p/allow', asked, { accept: 'application/vnd.opa.ucast.prisma+json' });
    expect(JSON.parse(text).hints.map(({ message }: { message: string }) => message)).toEqual([
      'input.prise undefined, did you mean input.price?',
      'input.prise.net undefined, did you mean input.price.net?',
    ]);
  });

  test('for several targets are by target', async () => {
    const options = { targetDialects: ['sql+sqlite', 'ucast+minimal'] };
    const { body } = await filter({ input, unknowns: ['input.t'], options }, 'multitarget');
    const query = { type: 'field', operator: 'eq', field: 't.c', value: 5 };
    expect(body).toEqual({ result: { sqlite: { query: 'WHERE t.c = 5' }, ucast: { query } } });
  });

  test('keep rules that the options name', async () => {
    const { ask } = await testServer({
      policies: { p: 'package p\n\nallow if input.t.c in known\n\nknown contains 1\n\nkept if input.t.c == 1\n\nrow if kept' },
    });
    const asked = async (rule: string, disableInlining: unknown) => {
      const body = JSON.stringify({ unknowns: ['input.t'], options: { disableInlining } });
      const { status, text } = await ask('POST', `/v1/compile/p/${rule}`, body, { accept: 'application/vnd.opa.sql.mysql+json' });
      return { status, body: JSON.parse(text) };
    };
    expect(await asked('row', [])).toEqual({ status: 200, body: { result: { query: 'WHERE t.c = 1' } } });
    expect(await asked('row', ['data.p.kept'])).toMatchObject({ status: 200, body: { result: { query: 'WHERE t.c = 1' } } });
    expect((await asked('allow', ['data.p.known'])).status).toBe(400);
    expect(await asked('allow', ['data.q.known'])).toMatchObject({ status: 200 });
    for (const wrong of ['data.p.', 'x', '1 + 1', 'data.p data.q', '']) {
      const { status, body } = await asked('row', [wrong]);
      expect({ wrong, status, code: body.code }).toEqual({ wrong, status: 400, code: 'invalid_parameter' });
      expect(body.message).toContain('error(s) occurred while parsing disableInlining: ');
    }
    expect((await asked('row', 'data.p.kept')).body.message).toContain('disableInlining must be of type array of strings, not string');
  });

  test('that allow no rows have no target of several', async () => {
    const options = { targetDialects: ['sql+sqlite', 'ucast+minimal'] };
    const { status, body } = await filter({ input: {}, unknowns: ['input.t'], options }, 'multitarget');
    expect({ status, body }).toEqual({ status: 200, body: { result: {} } });
  });

  test.each(['"text"', '["c"]', '{"c"}', 'false', 'null', '1'])('with masks that are %s are an error', async (masks) => {
    const { ask } = await testServer({ policies: { p: `package p\n\nallow if input.t.c == 1\n\nmasks := ${masks}` } });
    const accept = 'application/vnd.opa.sql.mysql+json';
    const asked = JSON.stringify({ unknowns: ['input.t'], options: { maskRule: 'masks' } });
    const { status, text } = await ask('POST', '/v1/compile/p/allow', asked, { accept });
    expect(status).toBe(400);
    expect(JSON.parse(text).errors).toEqual([{ code: 'invalid_masks', message: 'the value of the mask rule masks is no object' }]);
  });

  describe('with a mask rule that is missing', () => {
    const accept = 'application/vnd.opa.sql.mysql+json';
    const asked = async (annotation: string, body: object) => {
      const lines: string[] = [];
      const logger = new Logger({ level: 'warn', format: 'json', write: (line) => void lines.push(line) });
      const policy = `package p\n\n# METADATA\n# compile:\n#   mask_rule: ${annotation}\nallow if input.t.c == 1\n\nmasks := {} if input.x\n`;
      const { ask } = await testServer({ policies: { p: policy }, logger });
      const { status, text } = await ask('POST', '/v1/compile/p/allow', JSON.stringify({ unknowns: ['input.t'], ...body }), { accept });
      return { status, body: JSON.parse(text), warnings: lines.map((line) => JSON.parse(line).msg as string) };
    };

    test.each(['mask', 'data.p.mask', 'data.other', 'masks[x]'])('are an error where an annotation names it: %s', async (name) => {
      const message = `there is no rule ${name} for the masks`;
      expect(await asked(name, {})).toMatchObject({ status: 400, body: { errors: [{ code: 'invalid_masks', message }] }, warnings: [] });
    });

    test.each(['mask', 'data.p.mask', 'masks[x]'])('are a warning where the request names it: %s', async (maskRule) => {
      const warnings = [`The filter has no masks: there is no rule ${maskRule} for the masks.`];
      expect(await asked('masks', { options: { maskRule } })).toEqual({
        status: 200,
        body: { result: { query: 'WHERE t.c = 1' } },
        warnings,
      });
    });

    test('are neither where the rule is undefined', async () => {
      expect(await asked('masks', {})).toMatchObject({ status: 200, warnings: [] });
    });
  });

  test.each([
    { mysql: null },
    { sql: null, ucast: null },
    { sql: { t: null } },
    { mysql: { t: { c: null } } },
    { t: null },
    { t: { c: null, $self: null } },
  ])('with null for a mapping are as without: %j', async (targetSQLTableMappings) => {
    const { status, body } = await filter({ input, unknowns: ['input.t'], options: { targetSQLTableMappings } });
    expect({ status, query: body.result?.query }).toEqual({ status: 200, query: 'WHERE t.c = 5' });
  });

  test.each([
    [{ options: { targetDialects: ['sql+oracle'] } }, 'options.targetDialects: unsupported target: sql+oracle'],
    [{ options: { targetDialects: [] } }, 'options.targetDialects: missing required targets'],
    [{}, 'options.targetDialects: missing required targets'],
    [{ options: { targetDialects: 'sql+mysql' } }, 'options.targetDialects must be of type array of strings, not string'],
    [{ options: [] }, 'options must be of type object, not array'],
    [[], 'the body must be of type object, not array'],
  ])('%j are refused', async (body, message) => {
    const found = await filter(body, 'multitarget');
    expect(found).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } });
    expect(found.body.message).toContain(message);
  });

  test('mappings that are none are refused', async () => {
    const { status, body } = await filter({ options: { targetSQLTableMappings: { t: { $self: 5 } } } });
    expect(status).toBe(400);
    expect(body.message).toBe('options.targetSQLTableMappings: the mapping of t.$self must be a string');
  });

  test.each([{ unknowns: ['input[[[1, 2, 3, 4]]]'] }, { options: { maskRule: 'masks[[[1, 2, 3, 4]]]' } }])(
    '%j are refused where they have more tokens than the configuration allows',
    async (body) => {
      const found = await filter(body, 'sql.mysql', { server: { max_statement_tokens: 8 } });
      expect(found.status).toBe(400);
      expect(found.body.message).toContain('statement has more than 8 tokens');
    },
  );

  test.each<[title: string, rules: string, ...errors: string[]]>([
    ['a default', 'a if d\n\ndefault d := true\n\nd if input.t.n > 5', '3:6 use of default rule in data.p.d'],
    ['a default of a number', 'a if 3 < d\n\ndefault d := 1\n\nd := 4 if input.t.n > 5', '3:6 use of default rule in data.p.d'],
    [
      'a part of a default',
      'a if d.k == 1\n\ndefault d := {"k": 1}\n\nd := {"k": 2} if input.t.n > 5',
      '3:6 use of default rule in data.p.d.k',
    ],
    ['a default under not', 'a if not d\n\ndefault d := "no"\n\nd := "yes" if input.t.n > 5', '3:6 "not" not permitted'],
    ['a default of a function', 'a if f(input.t)\n\ndefault f(_) := true\n\nf(t) if t.n > 5', '3:6 use of default rule in data.p.f'],
    ['a set of one rule', 'a if s\n\ns contains 1 if input.t.b', '3:6 use of multi-value rule in data.p.s'],
    ['a set', 'a if s\n\ns contains 1 if input.t.n > 5\n\ns contains 2 if input.t.n > 6', '3:6 use of multi-value rule in data.p.s'],
    [
      'a function with else',
      'a if f(input.t.c)\n\nf(c) if c == "x"\n\nelse := 2 if c == "y"',
      '3:6 invalid data reference "data.p.f(input.t.c)" (has function "data.p.f(...)" an `else`?)',
    ],
    [
      'a function with else, compared',
      'a if input.t.n == f(input.t.c)\n\nf(c) := 1 if c == "x"\n\nelse := 2',
      '3:19 eq: nested call operand: data.p.f(input.t.c)',
    ],
    ['with around a rule', 'a if {\n\tb with input.t.c as "x"\n}\n\nb if input.t.n > 5', '4:2 "with" not permitted'],
    ['with around a negated rule', 'a if {\n\tnot b with input.t.c as "x"\n}\n\nb if input.t.n > 5', '4:2 "with" not permitted'],
    ['another row', 'a if {\n\tsome row in input.t\n\trow.n < input.t.n\n}', '5:8 lt: invalid ref operand: input.t[__local1__1].n'],
    [
      'a search in another row',
      'a if {\n\tsome i\n\tstartswith(input.t[i].c, "x")\n}',
      '5:2 startswith: invalid ref operand: input.t[__local0__1].c',
    ],
    [
      'parts of the result of a call',
      'a if {\n\tparts := split(input.t.c, "/")\n\tparts[0] == input.t.d\n\tparts[1] > "m"\n}',
      '4:11 invalid builtin `split`',
      '5:2 eq: invalid ref operand: __local1__1[0]',
      '6:11 gt: invalid ref operand: __local1__1[1]',
    ],
    [
      'a document in the result of a call',
      'a if input.t.c == json.unmarshal(input.t.d).k',
      '3:19 invalid builtin `json.unmarshal`',
      '3:19 eq: invalid ref operand: __local0__1.k',
    ],
    ['a value of a rule that is called', 'a if v == input.t.c\n\nv := upper(input.t.d)', '5:6 eq: nested call operand: upper(input.t.d)'],
  ])('%s is an error at its place', async (_title, rules, ...errors) => {
    const { ask } = await testServer({ policies: { p: `package p\n\n${rules}` } });
    const accept = 'application/vnd.opa.sql.postgresql+json';
    const { status, text } = await ask('POST', '/v1/compile/p/a', JSON.stringify({ unknowns: ['input.t'] }), { accept });
    const found = JSON.parse(text).errors.map(
      (error: { location?: { row: number; col: number }; message: string; details?: { details: string } }) => {
        const { location, message, details } = error;
        return `${location?.row}:${location?.col} ${message}${details === undefined ? '' : ` (${details.details})`}`;
      },
    );
    expect({ status, found }).toEqual({ status: 400, found: errors });
  });

  test('have timers for what was looked up in annotations, at the first request', async () => {
    const annotation = '# METADATA\n# compile:\n#   unknowns: [input.t]\n#   mask_rule: masks\n';
    const { ask } = await testServer({
      policies: { p: `package p\n\n${annotation}allow if input.t.c == 1\n\nmasks.t.c.replace.value := 1` },
    });
    const timersOf = async (body: object) => {
      const accept = 'application/vnd.opa.sql.mysql+json';
      const { text } = await ask('POST', '/v1/compile/p/allow?metrics', JSON.stringify(body), { accept });
      return Object.keys(JSON.parse(text).metrics).map((name) => name.replace(/^timer_|_ns$/g, ''));
    };
    const always = ['compile_eval_constraints', 'compile_eval_mask_rule', 'compile_prep_partial', 'compile_translate_queries'];
    const rest = ['external_resolve', 'partial_eval', 'query_compile', 'query_eval', 'query_parse'].map((name) => `rego_${name}`);
    const expected = [...always, ...rest, 'server_handler'];
    const extracted = ['compile_extract_annotations_mask', 'compile_extract_annotations_unknowns'];
    expect(await timersOf({ unknowns: ['input.t'], options: { maskRule: 'masks' } })).toEqual(expected);
    expect(await timersOf({})).toEqual([...expected, ...extracted].sort());
    expect(await timersOf({})).toEqual(expected);
  });

  test('a column key that is no string is an error, not a condition that always holds', async () => {
    const { status, body } = await filter({ input: { ...input, column: 1 }, unknowns: ['input.t'] });
    expect(status).toBe(400);
    expect(body.errors[0].message).toBe('eq: invalid ref operand: input.t[1]');
  });

  test('a name that SQL cannot have is an error', async () => {
    const { status, body } = await filter({ input: { ...input, column: 'a\0' }, unknowns: ['input.t'] });
    expect(status).toBe(400);
    expect(body.errors[0].message).toBe('no name in a database has the character 0: "a\\u0000"');
  });
});

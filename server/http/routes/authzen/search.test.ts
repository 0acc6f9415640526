import { describe, expect, test } from 'vitest';
import type { TestOptions } from '../../../../test/harness/server/app.js';
import { accessServer, admin, alice, archived, bob, fixture, one, read, two, write } from '../../../../test/harness/server/authzen.js';
import type { PlainObject } from '../../../../values/value.js';
import { Logger } from '../../../services/logs/logger.js';

const listed = { subject: 'directory/subjects', resource: 'directory/resources', action: 'directory/actions' };

interface Page {
  readonly next_token: string;
  readonly count: number;
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly results: readonly PlainObject[] | undefined;
  readonly page: Page | undefined;
}

async function serving(authzen: PlainObject, options: TestOptions = {}) {
  const { post } = await accessServer(authzen, options);
  const search = async (kind: string, asked: unknown): Promise<Reply> => {
    const { status, text, body } = await post(kind, asked);
    const { results, page } = (status === 200 ? body : {}) as Partial<Reply>;
    return { status, text, results, page };
  };
  return { search };
}

const users = { subject: { type: 'user' }, action: read, resource: one };

describe.each<[string, PlainObject]>([
  ['a document lists candidates', { search: listed }],
  ['the policy names candidates', {}],
])('where %s', (_title, authzen) => {
  test.each<[string, string, object, PlainObject[]]>([
    ['subjects', 'search/subject', users, [alice, bob]],
    ['subjects, with a context', 'search/subject', { ...users, context: { time: 'now' } }, [alice, bob]],
    ['subjects, whatever the id', 'search/subject', { ...users, subject: { type: 'user', id: 7 } }, [alice, bob]],
    ['resources', 'search/resource', { subject: alice, action: read, resource: { type: 'record' } }, [one, two]],
    ['subjects of an unknown type', 'search/subject', { ...users, subject: { type: 'spaceship' } }, []],
    ['subjects for an unknown resource', 'search/subject', { ...users, resource: { type: 'record', id: 'x' } }, []],
    ['actions of an unknown subject', 'search/action', { subject: { type: 'user', id: 'x' }, resource: one }, []],
  ])('it finds %s', async (_what, kind, body, results) => {
    const { search } = await serving(authzen);
    const found = await search(kind, body);
    expect(found.status, found.text).toBe(200);
    expect(found.results?.map(({ type, id }) => ({ type, id }))).toEqual(results);
    expect(found.page).toBeUndefined();
  });
});

describe('a document of candidates', () => {
  test.each<[string, string, object, PlainObject[]]>([
    ['actions', 'search/action', { subject: alice, resource: one }, [read, write]],
    ['actions, with a context', 'search/action', { subject: alice, resource: one, context: { ip: '::1' } }, [read, write]],
    ['actions by properties', 'search/action', { subject: admin, resource: archived }, [read, write]],
    ['subjects with properties', 'search/subject', { ...users, action: write, resource: archived }, [admin]],
    ['resources with properties', 'search/resource', { subject: admin, action: write, resource: { type: 'record' } }, [archived]],
  ])('finds %s, and what it finds is permitted', async (_what, kind, body, results) => {
    const { search } = await serving({ search: listed });
    const found = await search(kind, body);
    expect(found.results).toEqual(results);
    for (const entity of found.results!) {
      const { text } = await search('evaluation', { ...body, [kind.slice('search/'.length)]: entity });
      expect(text).toBe('{"decision":true}\n');
    }
  });

  test.each<[string, string, readonly string[]]>([
    ['an array', '{"user": ["bob", "alice", "carol", "bob"]}', ['alice', 'bob']],
    ['a set', '{"user": {"bob", "alice", "carol"}}', ['alice', 'bob']],
    [
      'entities',
      '{"user": [{"id": "bob", "properties": {"role": "admin"}}, {"id": "alice"}, {"id": "carol", "properties": 1}]}',
      ['alice', 'bob'],
    ],
    ['other values', '{"user": {"alice": true, "bob": [1], "carol": null}}', ['alice', 'bob']],
    ['the input', '{"user": [input.action.name, "alice"]}', ['alice']],
    ['nothing of the type', '{"group": ["bob"]}', []],
  ])('may be %s', async (_title, value, ids) => {
    const policies = { ...fixture.policies, 'lists.rego': `package lists\n\nsubjects := ${value}\n` };
    const { search } = await serving({ search: { subject: 'lists/subjects' } }, { policies });
    expect((await search('search/subject', users)).results?.map(({ id }) => id)).toEqual(ids);
  });

  test('lists actions by the type of the resource', async () => {
    const policies = {
      ...fixture.policies,
      'lists.rego': 'package lists\n\nactions := {"record": {"write", "read", "x"}, "other": ["delete"]}\n',
    };
    const { search } = await serving({ search: { action: 'lists/actions' } }, { policies });
    expect((await search('search/action', { subject: alice, resource: one })).results).toEqual([read, write]);
  });

  test.each<[string, string, string]>([
    ['a number', '1', 'must be an object by type but is number'],
    ['a list', '["alice"]', 'must be an object by type but is array'],
    ['a text for a type', '{"user": "alice"}', 'must list entities but has string'],
    ['a list of numbers', '{"user": [1]}', 'must list strings, or objects with a string "id"'],
    ['a list of other objects', '{"user": [{"name": "alice"}]}', 'must list strings'],
    ['too many', '{"user": numbers.range(1, 100001)}', 'at most 100000'],
  ])('may not be %s', async (_title, value, message) => {
    const policies = { ...fixture.policies, 'lists.rego': `package lists\n\nsubjects := ${value}\n` };
    const { search } = await serving({ search: { subject: 'lists/subjects' } }, { policies });
    expect(await search('search/subject', users)).toMatchObject({ status: 500, text: expect.stringContaining(message) });
  });

  test('must be there', async () => {
    const { search } = await serving({ search: { subject: 'lists/subjects' } });
    expect(await search('search/subject', users)).toMatchObject({ status: 500, text: 'there is no document data.lists.subjects\n' });
  });
});

describe('a policy', () => {
  const question = { subject: { type: 'user' }, action: { name: 'x' }, resource: one };

  test.each<[string, string, readonly string[]]>([
    ['one id', 'allow if input.subject.id == "a"', ['a']],
    ['ids in a set', 'allow if input.subject.id in {"b", "a", 1}', ['a', 'b']],
    ['ids of a document', 'allow if input.subject.id in data.members', ['m1', 'm2']],
    ['keys of a document', 'allow if data.groups[input.subject.id][_] == "admins"', ['g1']],
    ['ids over an iteration', 'allow if {\n\tsome id in data.members\n\tid == input.subject.id\n}', ['m1', 'm2']],
    ['ids less some', 'allow if {\n\tinput.subject.id in data.members\n\tnot input.subject.id == "m1"\n}', ['m2']],
    ['ids with a test', 'allow if {\n\tstartswith(input.subject.id, "m")\n\tinput.subject.id in ["m1", "x"]\n}', ['m1']],
    [
      'ids of several rules',
      'allow if input.subject.id == "z"\n\nallow if is_member\n\nis_member if input.subject.id in data.members',
      ['m1', 'm2', 'z'],
    ],
    [
      'ids of an object',
      'allow := {"decision": ok, "context": {"x": 1}}\n\ndefault ok := false\n\nok if input.subject.id in {"a", "b"}',
      ['a', 'b'],
    ],
    // A reference with a number finds such a key too.
    ['keys that look like numbers', 'allow if data.years[input.subject.id].open', ['2024', '2026']],
    ['ids and other values', 'allow if input.subject.id in data.values', ['a', 'true']],
    [
      'no ids but other values',
      'allow if input.subject.id == 7\n\nallow if input.subject.id == ["a"]\n\nallow if null == input.subject.id',
      [],
    ],
    ['no ids', 'allow if input.action.name == "y"', []],
    ['ids that are denied', 'allow := {"decision": input.subject.id == "a"} if input.subject.id in ["a", "b"]', ['a']],
  ])('names %s', async (_title, rules, ids) => {
    const policies = { 'p.rego': `package authzen\n\n${rules}\n` };
    const years = { 2024: { open: true }, 2025: { open: false }, 2026: { open: true } };
    const values = ['a', 1, true, 'true', null, ['b'], { c: 1 }];
    const documents = { members: ['m1', 'm2'], groups: { g1: ['admins'], g2: ['users'] }, years, values };
    const { search } = await serving({}, { policies, data: documents });
    const { status, text, results } = await search('search/subject', question);
    expect(status, text).toBe(200);
    expect(results?.map(({ id }) => id)).toEqual(ids);
  });

  test.each<[string, string]>([
    ['all ids', 'allow := true'],
    ['all ids of an action', 'allow if input.action.name == "x"'],
    ['ids by a prefix', 'allow if startswith(input.subject.id, "a")'],
    ['ids but one', 'allow if input.subject.id != "a"'],
    ['ids that are not in a list', 'allow if not input.subject.id in ["a"]'],
    ['one of two rules by a prefix', 'allow if input.subject.id == "a"\n\nallow if startswith(input.subject.id, "b")'],
    ['all ids by default', 'default allow := true\n\nallow := false if input.subject.id == "a"'],
    ['ids of an else', 'allow if input.subject.id == "a" else := true if input.subject.id == "b"'],
    ['another member', 'allow if input.subject[input.action.name] == "a"\n\nallow if input.subject[x] == "a"'],
  ])('that permits %s wants a document', async (_title, rules) => {
    const { search } = await serving({}, { policies: { 'p.rego': `package authzen\n\n${rules}\n` } });
    const { status, text } = await search('search/subject', question);
    expect(status, text).toBe(501);
    expect(text).toContain('plugins.authzen.search.subject');
  });

  test('names actions, and rows of the configuration do', async () => {
    const policies = {
      'p.rego': 'package authzen\n\nallow if input.action.name in data.grants[input.subject.id]\n',
      'q.rego': 'package q\n\nallow := true\n',
    };
    const paths = [
      { action: 'watch', path: 'q/allow' },
      { action: 'never', resource_type: 'other', path: 'q/allow' },
    ];
    const { search } = await serving({ paths, search: { subject: 'q/x' } }, { policies, data: { grants: { alice: ['list', 'read'] } } });
    const { text } = await search('search/action', { subject: alice, resource: one });
    // The decision of the row permits all subjects, but names no action.
    expect(text).toContain('data.q.allow does not name every action');
    const named = { ...policies, 'q.rego': 'package q\n\nallow if input.action.name == "watch"\n' };
    const again = await serving({ paths }, { policies: named, data: { grants: { alice: ['list', 'read'] } } });
    const { results } = await again.search('search/action', { subject: alice, resource: one });
    expect(results).toEqual([{ name: 'list' }, { name: 'read' }, { name: 'watch' }]);
  });

  test('that fails for a candidate fails the search', async () => {
    const policies = {
      'p.rego': 'package authzen\n\nallow if input.subject.id in ["a", "b"]\n\nallow := "x" if input.subject.id == "b"\n',
    };
    const { search } = await serving({}, { policies });
    expect(await search('search/subject', question)).toMatchObject({ status: 500 });
  });
});

test.each<[string, object, string]>([
  ['search/subject', { subject: { type: 'user' }, resource: one }, 'action is missing'],
  ['search/subject', { action: read, resource: one }, 'subject is missing'],
  ['search/subject', { ...users, subject: {} }, 'subject.type is missing'],
  ['search/subject', { ...users, resource: { type: 'record' } }, 'resource.id is missing'],
  ['search/resource', { action: read, resource: { type: 'record' } }, 'subject is missing'],
  ['search/resource', { subject: { type: 'user' }, action: read, resource: { type: 'record' } }, 'subject.id is missing'],
  ['search/resource', { subject: alice, action: read, resource: { id: '1' } }, 'resource.type is missing'],
  ['search/action', { subject: alice }, 'resource is missing'],
  ['search/action', { resource: one }, 'subject is missing'],
  ['search/subject', { ...users, page: 1 }, 'page must be an object but is number'],
  ['search/subject', { ...users, page: { limit: -1 } }, 'page.limit must be a whole number'],
  ['search/subject', { ...users, page: { limit: 1.5 } }, 'page.limit must be a whole number'],
  ['search/subject', { ...users, page: { limit: '1' } }, 'page.limit must be a whole number'],
  ['search/subject', { ...users, page: { token: 1 } }, 'page.token must be a string'],
  ['search/subject', { ...users, page: { token: 'x' } }, 'page.token is none of this server'],
  ['search/subject', { ...users, page: { token: 'WzEsMl0' } }, 'page.token is none of this server'],
])('%s refuses %j', async (kind, body, message) => {
  const { search } = await serving({ search: listed });
  expect(await search(kind, body)).toMatchObject({
    status: 400,
    text: `${message}${message.endsWith('number') && message.includes('whole') ? ' that is not negative' : ''}\n`,
  });
});

describe('pages', () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`u${String(i).padStart(3, '0')}`, { ok: i % 3 === 0 }]));
  const policies = { 'p.rego': 'package authzen\n\nallow if input.subject.properties.ok\n' };
  const question = { subject: { type: 'user' }, action: read, resource: one };

  async function walk(authzen: PlainObject, limit: number | undefined) {
    const { search } = await serving({ search: { subject: 'people', ...authzen } }, { policies, data: { people: { user: many } } });
    const pages: number[] = [];
    const ids: unknown[] = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      const page = { ...(limit !== undefined && { limit }), ...(token !== '' && { token }) };
      const reply: Reply = await search('search/subject', { ...question, page });
      expect(reply.page!.count).toBe(reply.results!.length);
      pages.push(reply.results!.length);
      ids.push(...reply.results!.map(({ id }) => id));
      token = reply.page!.next_token === '' ? undefined : reply.page!.next_token;
    }
    return { pages, ids };
  }

  test.each<[number | undefined, PlainObject, number[]]>([
    [undefined, {}, [100]],
    [100, {}, [100]],
    [99, {}, [99, 1]],
    [30, {}, [30, 30, 30, 10]],
    [1000, { page_size: 60 }, [60, 40]],
    [undefined, { page_size: 50 }, [50, 50]],
  ])('of at most %j results with %j', async (limit, authzen, sizes) => {
    const { pages, ids } = await walk(authzen, limit);
    expect(pages).toEqual(sizes);
    expect(ids).toEqual(Object.keys(many).filter((_, i) => i % 3 === 0));
  });

  test('may be asked for without results', async () => {
    const { search } = await serving({ search: listed });
    const { results, page } = await search('search/subject', { ...users, page: { limit: 0 } });
    expect(results).toEqual([]);
    expect((await search('search/subject', { ...users, page: { token: page!.next_token } })).results).toHaveLength(2);
  });

  test('are of one request', async () => {
    const { search } = await serving({ search: listed });
    const first = await search('search/subject', { ...users, page: { limit: 1 } });
    expect(first.results).toEqual([alice]);
    const page = { token: first.page!.next_token };
    expect((await search('search/subject', { resource: one, action: read, subject: { type: 'user' }, page })).results).toEqual([admin]);
    const other = await search('search/subject', { ...users, action: write, page });
    expect(other).toMatchObject({ status: 400, text: 'page.token is of another request\n' });
    expect(await search('search/action', { subject: alice, resource: one, page })).toMatchObject({ status: 400 });
  });

  test('end when half of the time is over', async () => {
    const rules =
      'allow if input.subject.id < "u100"\n\nallow if {\n\tinput.subject.id >= "u100"\n\tcount([x | some x in numbers.range(1, 30000); x * x > to_number(substring(input.subject.id, 1, -1))]) > 0\n}\n';
    const slow = { 'p.rego': `package authzen\n\n${rules}` };
    const options = { policies: slow, data: { people: { user: many } }, config: { server: { decision_timeout_seconds: 1 } } };
    const { search } = await serving({ search: { subject: 'people' } }, options);
    const { status, results, page } = await search('search/subject', question);
    expect(status).toBe(200);
    expect(results!.length).toBeLessThan(300);
    expect(results!.length).toBe(page!.count);
    expect(page!.next_token).not.toBe('');
  });
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])('%j is a type and an id as any other', async (name) => {
  const policies = { 'p.rego': 'package authzen\n\nallow if input.subject.id in data.ids\n' };
  const documents = JSON.parse(JSON.stringify({ ids: [name], people: { other: { x: {} } } })) as PlainObject;
  const listing = JSON.parse(`{"people": {${JSON.stringify(name)}: {${JSON.stringify(name)}: {}}}}`) as PlainObject;
  const question = { subject: { type: name }, action: read, resource: one };
  for (const [authzen, data, results] of [
    [{}, documents, [{ type: name, id: name }]],
    [{ search: { subject: 'people' } }, documents, []],
    [{ search: { subject: 'people' } }, { ...documents, ...listing }, [{ type: name, id: name }]],
  ] as const) {
    const { search } = await serving(authzen, { policies, data });
    const found = await search('search/subject', question);
    expect([found.status, found.text, found.results]).toEqual([200, found.text, results]);
  }
});

test('a search is one event of the log', async () => {
  const events: PlainObject[] = [];
  const console = new Logger({ level: 'info', format: 'json', write: (line) => void events.push(JSON.parse(line) as PlainObject) });
  const { search } = await serving({ search: listed }, { console, config: { decision_logs: { console: true } } });
  await search('search/subject', users);
  const found = events.filter(({ msg }) => msg === 'Decision Log');
  expect(found).toMatchObject([
    { path: 'authzen/allow', input: { subject: { type: 'user' } }, result: [alice, admin], custom: { type: 'authzen/search/subject' } },
  ]);
});

// Harnesses of the working group compare the texts of entities.
test.each<[string, object, string]>([
  ['search/subject', users, '{"results":[{"type":"user","id":"alice"},{"type":"user","id":"bob","properties":{"role":"admin"}}]}\n'],
  [
    'search/resource',
    { subject: alice, action: write, resource: { type: 'record' } },
    '{"results":[{"type":"record","id":"record-1","properties":{"status":"active"}}]}\n',
  ],
  ['search/action', { subject: alice, resource: one }, '{"results":[{"name":"read"},{"name":"write"}]}\n'],
])('%s has the members of entities in the order of the specification', async (kind, body, expected) => {
  const { search } = await serving({ search: listed });
  expect((await search(kind, body)).text).toBe(expected);
});

describe('searches find what evaluations permit', () => {
  const roles = ['boss', 'clerk', 'guest'];
  const rooms = ['north', 'south', 'west'];
  const people = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`p${i}`, { role: roles[i % 3]!, room: rooms[(i * 5) % 3]! }]));
  const papers = Object.fromEntries(
    Array.from({ length: 11 }, (_, i) => [`d${i}`, { room: rooms[(i * 7) % 3]!, owner: `p${(i * 3) % 7}` }]),
  );
  const policy = `package authzen

default allow := false

person := data.people[input.subject.id] if input.subject.type == "user"

paper := data.papers[input.resource.id] if input.resource.type == "paper"

allow if {
	input.action.name in {"see", "change", "drop"}
	paper.owner == input.subject.id
}

allow if {
	input.action.name == "see"
	paper.room == person.room
}

allow if {
	input.action.name == "see"
	person.role == "boss"
	paper
}

allow if {
	input.action.name == "change"
	person.role == "boss"
	paper.room == person.room
}

lists := {"subject": {"user": object.keys(data.people)}, "resource": {"paper": object.keys(data.papers)}, "action": ["see", "change", "drop"]}
`;
  const lists = { subject: 'authzen/lists/subject', resource: 'authzen/lists/resource', action: 'authzen/lists/action' };
  const everyone = Object.keys(people).map((id) => ({ type: 'user', id }));
  const everything = Object.keys(papers).map((id) => ({ type: 'paper', id }));
  const actions = ['change', 'drop', 'see'].map((name) => ({ name }));

  test.each<[string, PlainObject]>([
    ['in lists', { search: lists }],
    ['in the policy', {}],
  ])('that are named %s', async (_title, authzen) => {
    const { post } = await accessServer(authzen, { policies: { 'p.rego': policy }, data: { people, papers } });
    const evaluations = everyone.flatMap((subject) =>
      everything.flatMap((resource) => actions.map((action) => ({ subject, resource, action }))),
    );
    const { body } = await post('evaluations', { evaluations });
    const permitted = evaluations.filter((_, i) => (body as { evaluations: { decision: boolean }[] }).evaluations[i]!.decision);
    const found = async (kind: string, request: object) => ((await post(`search/${kind}`, request)).body as { results: object[] }).results;
    // By the text of their ids.
    const sorted = (entities: readonly { readonly id?: string; readonly name?: string }[]) =>
      entities.toSorted((a, b) => ((a.id ?? a.name!) < (b.id ?? b.name!) ? -1 : 1));
    for (const resource of everything)
      for (const action of actions) {
        const asked = { resource, action, subject: { type: 'user' } };
        const expected = permitted.filter((each) => each.resource === resource && each.action === action).map(({ subject }) => subject);
        expect(await found('subject', asked), JSON.stringify(asked)).toEqual(sorted(expected));
      }
    for (const subject of everyone)
      for (const action of actions) {
        const asked = { subject, action, resource: { type: 'paper' } };
        const expected = permitted.filter((each) => each.subject === subject && each.action === action).map(({ resource }) => resource);
        expect(await found('resource', asked), JSON.stringify(asked)).toEqual(sorted(expected));
      }
    for (const subject of everyone)
      for (const resource of everything) {
        const asked = { subject, resource };
        const expected = permitted.filter((each) => each.subject === subject && each.resource === resource).map(({ action }) => action);
        expect(await found('action', asked), JSON.stringify(asked)).toEqual(sorted(expected));
      }
  });
});

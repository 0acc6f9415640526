import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { runCommand, runWith, withFiles } from '../../test/harness/command.js';
import { serverOver, temporaryFolder } from '../../test/harness/storage/logs.js';

const policy = (least: string) => `package authz

# METADATA
# entrypoint: true
default allow := false

allow if input.level ${least}

allow if "admin" in data.roles[input.user]

roll := rand.intn("n", 10)

now := time.now_ns()
`;

const files = {
  'old/authz.rego': policy('>= 5'),
  'old/data.json': '{"roles":{"ann":["admin"]}}',
  'new/authz.rego': policy('> 5'),
  'new/data.json': '{"roles":{"ann":["admin"],"bob":["admin"]}}',
};

function lines(...events: readonly object[]): string {
  return events.map((event) => `${JSON.stringify({ path: 'authz/allow', ...event })}\n`).join('');
}

interface Shown {
  readonly outcome: string;
  readonly replay: {
    readonly same: number;
    readonly different: number;
    readonly inconclusive: number;
    readonly skipped: number;
    readonly unreadable: number;
    readonly kinds: Readonly<Record<string, number>>;
    readonly groups: readonly {
      readonly kind: string;
      readonly count: number;
      readonly old: { readonly rules: readonly { readonly row: number }[] };
      readonly new: { readonly failed?: { readonly row: number; readonly text: string } };
      readonly example: { readonly line: number; readonly old: object; readonly new: object };
    }[];
    readonly reasons: readonly { readonly reason: string; readonly count: number }[];
    readonly otherwiseLogged: { readonly count: number };
    readonly unknownPaths: readonly string[];
  };
}

/** The report of a log, over the two versions above or others. */
async function replayed(log: string | Uint8Array, over: Readonly<Record<string, string>> = {}, ...flags: string[]) {
  return await withFiles({ ...files, ...over, log }, async (directory) => {
    const at = (name: string) => join(directory, name);
    const { exit, stdout, stderr } = await runCommand('diff', at('old'), at('new'), '--log', at('log'), '-f', 'json', ...flags);
    if (stdout === '') throw new Error(stderr);
    return { exit, report: JSON.parse(stdout) as Shown };
  });
}

describe('a log that two versions decide again', () => {
  test('differences are grouped by the rules that decided', async () => {
    const log = lines(
      { input: { level: 5, user: 'eve' } },
      { input: { level: 5, user: 'ian' } },
      { input: { level: 1, user: 'bob' } },
      { input: { level: 6 } },
      { input: { level: 1, user: 'ann' } },
    );
    const { exit, report } = await replayed(log);
    expect(exit).toBe(1);
    expect(report.outcome).toBe('differs');
    expect(report.replay).toMatchObject({ same: 2, different: 3, kinds: { allowed: 1, denied: 2 } });
    const [allowed, denied] = report.replay.groups;
    expect(allowed).toMatchObject({ kind: 'allowed', count: 1, example: { line: 3, old: { value: false }, new: { value: true } } });
    expect(denied).toMatchObject({
      kind: 'denied',
      count: 2,
      old: { rules: [{ row: 7 }] },
      new: { failed: { row: 7, text: 'input.level > 5' } },
    });
  });

  test.each([
    ['newly an error', 'x if true\nx := input.n', 'x := 1 if true\nx := input.n', { n: true }, 'error'],
    ['no longer an error', 'x := 1 if true\nx := input.n', 'x := input.n', { n: 2 }, 'recovered'],
    ['newly undefined', 'x := input.n', 'x := input.m', { n: 2 }, 'undefined'],
    ['another value', 'x := input.n', 'x := input.n + 1', { n: 2 }, 'value'],
    ['newly denied', 'x if true', 'x if false', {}, 'denied'],
    ['newly allowed', 'x := {"allow": false}', 'x := {"allow": true}', {}, 'allowed'],
  ])('%s', async (_, old, next, input, kind) => {
    const over = { 'old/authz.rego': `package p\n${old}\n`, 'new/authz.rego': `package p\n${next}\n` };
    const { report } = await replayed(lines({ path: 'p/x', input }), over);
    expect(report.replay.kinds).toEqual({ [kind]: 1 });
  });

  test('denials that were none are newly denied', async () => {
    const over = {
      'old/authz.rego': 'package p\ndeny contains "x" if input.n > 5\n',
      'new/authz.rego': 'package p\ndeny contains "x" if input.n > 3\n',
    };
    const { report } = await replayed(lines({ path: 'p/deny', input: { n: 4 } }, { path: 'p/deny', input: { n: 9 } }), over);
    expect(report.replay).toMatchObject({ same: 1, kinds: { denied: 1 } });
  });

  test('recorded answers and the time are those of the event', async () => {
    const over = { 'new/authz.rego': policy('>= 5') };
    const log = lines(
      { path: 'authz/roll', result: 3, nd_builtin_cache: { 'rand.intn': { '["n",10]': 3 } } },
      { path: 'authz/now', result: 1795856400123456789n.toString(), timestamp: '2026-11-28T10:00:00.5Z' },
      { path: 'authz/roll', result: 3 },
    );
    const { exit, report } = await replayed(log, over);
    expect(exit).toBe(0);
    expect(report.outcome).toBe('unknown');
    expect(report.replay).toMatchObject({ same: 2, inconclusive: 1, otherwiseLogged: { count: 1 } });
    expect(report.replay.reasons[0]?.reason).toBe('rand.intn is called, and its answer is not recorded');
    expect((await replayed(log, over, '--strict')).exit).toBe(3);
  });

  test('no request is sent for an answer that is not recorded', async () => {
    const over = { 'new/authz.rego': 'package authz\nallow := http.send({"method": "get", "url": "http://localhost:1"}).body\n' };
    const { report } = await replayed(lines({ input: {} }), over);
    expect(report.replay.reasons[0]?.reason).toBe('http.send is called, and its answer is not recorded');
  });

  test('hidden places are inconclusive only where a rule reads them', async () => {
    const log = lines(
      { input: { level: 6, user: 'ann' }, erased: ['/input/password'] },
      { input: { level: 5, user: 'eve' }, masked: ['/input/level'] },
      { input: { level: 6 }, erased: ['/input/user'] },
      { input: { level: 6 }, erased: ['/input'] },
      { input: { level: 6 }, erased: ['/result'], result: 'hidden' },
    );
    const { report } = await replayed(log);
    expect(report.replay).toMatchObject({ same: 2, inconclusive: 3, otherwiseLogged: { count: 1 } });
    expect(report.replay.reasons.map(({ reason }) => reason)).toEqual([
      'input.level is hidden, and a rule reads it',
      'input.user is hidden, and a rule reads it',
      'input is hidden, and a rule reads it',
    ]);
  });

  test('lines that are no events are counted with their places', async () => {
    const log = `{"bad\n${lines({ input: { level: 6 } })}{"path":1}\n{"level":"info","msg":"x"}\n`;
    const { exit, report } = await replayed(log);
    expect(exit).toBe(0);
    expect(report.replay).toMatchObject({ same: 1, skipped: 1, unreadable: 2 });
    await expect(replayed(log, {}, '--strict')).rejects.toThrow(/log:1: it is no JSON/);
  });

  test('gzip and arrays are read as lines are, from standard input too', async () => {
    const events = [
      { path: 'authz/allow', input: { level: 5 } },
      { path: 'authz/allow', input: { level: 6 } },
    ];
    expect((await replayed(gzipSync(JSON.stringify(events)))).report.replay).toMatchObject({ same: 1, different: 1 });
    await withFiles(files, async (directory) => {
      const args = ['diff', join(directory, 'old'), join(directory, 'new'), '-l', '-'];
      const { exit, stdout } = await runWith({ stdin: () => gzipSync(JSON.stringify(events)) }, args);
      expect(exit).toBe(1);
      expect(stdout).toContain('newly denied  authz/allow  1×');
    });
  });

  test('a gzip file that is cut ends with a problem', async () => {
    const whole = gzipSync(lines(...Array.from({ length: 2000 }, (_, i) => ({ input: { level: 6, i: Math.sin(i) } }))));
    const { report } = await replayed(whole.subarray(0, whole.length - 2000));
    expect(report.replay.unreadable).toBe(1 + Number(report.replay.unreadable > 1));
    expect(report.replay.same).toBeGreaterThan(100);
  });

  test('only decisions of the entrypoints are compared', async () => {
    const log = lines({ path: 'other/x' }, { path: '/authz/allow/', input: { level: 5 } });
    const { report } = await replayed(log, {}, '-e', 'authz/allow');
    expect(report.replay).toMatchObject({ different: 1, skipped: 1 });
  });

  test('paths that neither version has are told', async () => {
    const log = lines({ path: 'other/x' }, { path: 'authz/alow' }, { path: 'authz/allow/x' }, { path: 'authz' });
    expect((await replayed(log)).report.replay.unknownPaths).toEqual(['other/x', 'authz/alow']);
  });

  test('data is added to both versions, or is that of a bundle revision', async () => {
    const over = {
      'old/data.json': '{}',
      'new/data.json': '{}',
      'new/authz.rego': policy('>= 5'),
      'roles.json': '{"roles":{"bob":["admin"]}}',
      'r1/data.json': '{"roles":{"bob":["admin"]}}',
      'r1/.manifest': '{"revision":"r1"}',
    };
    const log = lines({ input: { user: 'bob' }, result: true, bundles: { main: { revision: 'r1' } } });
    await withFiles({ ...files, ...over, log }, async (directory) => {
      const at = (name: string) => join(directory, name);
      const otherwise = async (...flags: string[]) => {
        const { stdout } = await runCommand('diff', at('old'), at('new'), '-l', at('log'), '-f', 'json', ...flags);
        return (JSON.parse(stdout) as Shown).replay.otherwiseLogged.count;
      };
      expect(await otherwise()).toBe(1);
      expect(await otherwise('-d', at('roles.json'))).toBe(0);
      expect(await otherwise('--revision-data', at('r1'))).toBe(0);
    });
  });

  test('data is that of the log of writes at the revision of an event', async () => {
    const directory = temporaryFolder();
    const server = await serverOver({ file: { directory }, snapshot_every: 2 }, { data: { roles: {} } });
    const put = async (user: string, roles: readonly string[]) =>
      (await server.ask('PUT', `/v1/data/roles/${user}`, JSON.stringify(roles))).revision!;
    await put('eve', ['guest']);
    const revisions = [await put('bob', ['admin']), await put('bob', ['guest']), await put('eve', ['admin'])];
    await server.close();
    const [isAdmin, isGuest, eve] = revisions as [number, number, number];
    const event = (user: string, revision: number, result: boolean) => ({ input: { user }, result, storage: { revision } });
    const log = lines(
      event('bob', isAdmin, true),
      event('eve', isAdmin, false),
      event('bob', isGuest, false),
      event('eve', eve, true),
      event('bob', eve, false),
      // Servers of one log may be some revisions apart.
      event('bob', isAdmin, true),
      event('eve', isGuest, false),
      event('ann', eve + 1, true),
      { input: { user: 'ann' }, result: true },
    );
    const { stdout: exported } = await runCommand('storage', 'export', '--set', `storage.file.directory=${directory}`);
    const writes = join(directory, 'writes.jsonl');
    writeFileSync(writes, exported);
    const over = { 'new/authz.rego': policy('>= 5'), 'new/data.json': files['old/data.json'] };
    const { report } = await replayed(log, over, '--writes', writes);
    expect(report.replay).toMatchObject({ different: 0, inconclusive: 1, same: 8, otherwiseLogged: { count: 0 } });
    expect(report.replay.reasons).toMatchObject([
      { reason: `the log of writes has the revisions 1 to ${eve}, and it needs revision ${eve + 1}` },
    ]);
    expect((await replayed(log, over)).report.replay.otherwiseLogged.count).toBe(3);
    writeFileSync(writes, exported.replace('guest', 'admin'));
    await expect(replayed(log, over, '--writes', writes)).rejects.toThrow('error: --writes: entry ');
  });

  test('differences of many decisions have the counts of deciding each', async () => {
    const inputs = Array.from({ length: 3000 }, (_, i) => ({ level: i % 9, user: ['ann', 'bob', 'eve'][i % 3] }));
    const { report } = await replayed(lines(...inputs.map((input) => ({ input }))));
    const decide = (isNew: boolean) => (input: (typeof inputs)[number]) =>
      input.user === 'ann' || (isNew && input.user === 'bob') || (isNew ? input.level > 5 : input.level >= 5);
    const different = inputs.filter((input) => decide(false)(input) !== decide(true)(input)).length;
    expect(report.replay).toMatchObject({ same: 3000 - different, different });
    expect(report.replay.groups.reduce((sum, { count }) => sum + count, 0)).toBe(different);
  });
});

describe('without a log', () => {
  test('inputs are made that the versions decide otherwise, at annotated entrypoints', async () => {
    await withFiles(files, async (directory) => {
      const at = (name: string) => join(directory, name);
      const { exit, stdout } = await runCommand('diff', at('old'), at('new'), '-f', 'json');
      expect(exit).toBe(1);
      const { search } = JSON.parse(stdout) as { search: { groups: readonly { kind: string; example: object }[] } };
      expect(search.groups.map(({ kind, example }) => [kind, example])).toEqual([
        ['allowed', { path: 'authz/allow', input: { user: 'bob' }, old: { value: false }, new: { value: true } }],
        ['denied', { path: 'authz/allow', input: { level: 5 }, old: { value: true }, new: { value: false } }],
      ]);
      const same = await runCommand('diff', at('old'), at('old'), '-e', 'data.authz.allow', '--tries', '100');
      expect(same).toMatchObject({ exit: 0, stderr: '' });
      expect(same.stdout).toContain('Of 100 made inputs for authz/allow, none differs, which proves nothing.\n');
    });
  });

  test('the decisions must be named', async () => {
    await withFiles({ 'p.rego': 'package p\n\nallow if input.x\n' }, async (directory) => {
      const p = join(directory, 'p.rego');
      const failed = async (...args: string[]) => {
        const { exit, stderr } = await runCommand('diff', p, p, ...args);
        return [exit, stderr.split('\n')[0]];
      };
      expect(await failed()).toEqual([
        2,
        'Error: name the decisions to compare with -e, as no rule is annotated as an entrypoint: p/allow',
      ]);
      const nothing = [2, 'error: neither version has anything at p/deny'];
      expect(await failed('-e', 'p/deny')).toEqual(nothing);
      expect(await failed('-e', 'p/deny', '--log', join(directory, 'no.log'))).toEqual(nothing);
    });
  });
});

describe('the versions', () => {
  test('are revisions of git, bundles, plans and single policies', async () => {
    const log = lines({ input: { level: 5, user: 'eve' } });
    await withFiles({ ...files, log }, async (directory) => {
      const at = (name: string) => join(directory, name);
      const git = (...args: string[]) =>
        execFileSync('git', ['-C', directory, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args]);
      git('init', '-q');
      git('add', 'old');
      git('commit', '-qm', 'first');
      await runCommand('build', '-b', at('new'), '-o', at('new.tar.gz'));
      await runCommand('build', '-t', 'plan', '-e', 'authz/allow', at('new'), '-o', at('plan.tar.gz'));
      const before = process.cwd();
      process.chdir(directory);
      try {
        for (const next of ['new', 'new.tar.gz', 'plan.tar.gz', 'new/authz.rego']) {
          const { exit, stderr } = await runCommand('diff', 'HEAD:old', next, '-l', 'log');
          expect([next, exit, stderr]).toEqual([next, 1, '']);
        }
        expect(await runCommand('diff', 'HEAD:old/authz.rego', 'old/authz.rego', '-l', 'log')).toMatchObject({ exit: 0 });
        const failed = async (old: string) => (await runCommand('diff', old, 'new', '-l', 'log')).stderr;
        expect(await failed('nowhere:old')).toBe(
          'error: the old version, nowhere:old, cannot be opened: there is no revision nowhere in this repository\n',
        );
        expect(await failed('HEAD:new')).toMatch(/^error: the old version, HEAD:new, cannot be opened: revision HEAD has no new/);
        expect(await failed('--upload-pack=x:old')).toMatch(/unknown flag/);
      } finally {
        process.chdir(before);
      }
    });
  });

  test('one that does not compile is named', async () => {
    await withFiles({ ...files, 'new/authz.rego': 'package authz\nallow if x\n', log: '' }, async (directory) => {
      const at = (name: string) => join(directory, name);
      const { exit, stdout, stderr } = await runCommand('diff', at('old'), at('new'), '-l', at('log'));
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
      expect(stderr).toMatch(/^error: the new version, .*new, does not compile:\n.*rego_unsafe_var_error/);
    });
  });

  test.each([
    [['a'], 'specify two versions: writ diff OLD NEW'],
    [['a', 'b', 'c'], 'specify two versions, not 3'],
    [['a', 'b', '--slower', '1', '-l', 'x'], '--slower must be more than 1'],
    [['a', 'b', '--nothing'], 'unknown flag: --nothing'],
  ])('a wrong command line %j exits with 2', async (args, message) => {
    const { exit, stderr } = await runCommand('diff', ...args);
    expect({ exit, message: stderr.split('\n')[0] }).toEqual({ exit: 2, message: `Error: ${message}` });
  });

  test('a log that is not there is named', async () => {
    await withFiles(files, async (directory) => {
      const { exit, stderr } = await runCommand('diff', join(directory, 'old'), join(directory, 'new'), '-l', join(directory, 'no'));
      expect([exit, stderr]).toEqual([2, `error: ${join(directory, 'no')}: no such file or directory\n`]);
    });
  });
});

describe('the reports', () => {
  test('html is the inspector with the plans of both versions and an input that differs', async () => {
    await withFiles({ ...files, log: lines({ input: { level: 5 } }) }, async (directory) => {
      const at = (name: string) => join(directory, name);
      const { exit } = await runCommand('diff', at('old'), at('new'), '-l', at('log'), '-f', 'html', '-o', at('page.html'));
      expect(exit).toBe(1);
      const page = readFileSync(at('page.html'), 'utf8');
      const [, data] = /<script[^>]*id="data"[^>]*>(.*?)<\/script>/s.exec(page) ?? [];
      const { title, other, documents, sources } = JSON.parse(data!) as {
        title: string;
        other: { title: string; policy: object };
        documents: { input: string };
        sources: readonly { text: string }[];
      };
      expect([title, other.title]).toEqual([at('old'), at('new')]);
      expect(JSON.parse(documents.input)).toEqual({ level: 5 });
      expect(sources[0]?.text).toContain('>= 5');
    });
  });

  test.each(['pretty', 'markdown', 'github', 'sarif'])('%s names the rule, the example and the answers', async (format) => {
    await withFiles({ ...files, log: lines({ input: { level: 5, user: '<`|@x' } }) }, async (directory) => {
      const at = (name: string) => join(directory, name);
      const { stdout } = await runCommand('diff', at('old'), at('new'), '-l', at('log'), '-f', format, '-o', at('out'));
      expect(stdout).toBe('');
      const text = readFileSync(at('out'), 'utf8');
      expect(text).toContain('newly denied');
      expect(text).toContain('authz.rego');
      expect(text).toMatch(/true → false/);
      if (format === 'sarif') {
        const [run] = (JSON.parse(text) as { runs: readonly { results: readonly object[] }[] }).runs;
        expect(run?.results).toMatchObject([
          { ruleId: 'denied', level: 'error', locations: [{ physicalLocation: { region: { startLine: 7, startColumn: 10 } } }] },
        ]);
      }
      if (format === 'github') expect(text).toMatch(/^::error file=.*authz\.rego,line=7,col=10,title=newly denied::/);
    });
  });
});

/** A test sees what the server decides: the rules of a policy run as a program. */
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

test.each([
  [
    'rules of a set that make sets of the same form',
    `v contains m if g[{"m": m, "f": "c"}]

g contains {"m": m, "f": "c"} if {
	c := input.cs[_]
	p := {r | c.l[r]}
	m := {"m"} - p
	count(m) > 0
}

g contains {"m": m, "f": "c"} if {
	c := input.cs[_]
	p := {r | c.q[r]}
	m := {"c"} - p
	count(m) > 0
}`,
    'data.p.v == {{"m"}} with input as {"cs": [{"q": {"c": 1}}]}',
  ],
  [
    'a function and its else',
    `f(x) := "admin" if {
	count([r | r := x.admins[_]]) > 1
} else := "none" if {
	count([r | r := x.others[_]]) == 0
}

v := f(input)`,
    'data.p.v == "none" with input as {"admins": [1], "others": []}',
  ],
  [
    'two rules of a complete document',
    `default v := false

v if {
	u := input.u
	count({r | u.need[r]}) > 0
}

v if {
	u := input.u
	count({r | u.deny[r]}) == 0
}`,
    'not data.p.v with input as {"u": {"need": {}, "deny": {"x": 1}}}',
  ],
  [
    'functions of one name, one of which forbids',
    `default allow := false

allow if ok(input.user)

ok(u) if count([r | r := u.roles[_]; r == "admin"]) > 0

ok(u) if count([d | d := u.denied[_]]) == 0`,
    'not data.p.allow with input as {"user": {"roles": [], "denied": ["all"]}}',
  ],
])('a test passes by the decision of the policy: %s', async (_title, policy, body) => {
  const files = { 'p.rego': `package p\n\n${policy}\n`, 'p_test.rego': `package p_test\n\ntest_v if ${body}\n` };
  await withFiles(files, async (directory) => {
    for (const flags of [[], ['--coverage'], ['--var-values'], ['-p', '1'], ['-v']]) {
      const { exit, stderr } = await runCommand('test', ...flags, directory);
      expect({ flags, exit, stderr }).toEqual({ flags, exit: 0, stderr: '' });
    }
  });
});

test('a test that takes long, prints and fails is run once for its output', async () => {
  const policy = `package p

test_long if {
	print("begun")
	count({n | some a in numbers.range(1, 300); some b in numbers.range(1, 300); n := a + b}) == 599
	print("counted")
	false
}
`;
  await withFiles({ 'p_test.rego': policy }, async (directory) => {
    const { exit, stdout } = await runCommand('test', '-f', 'json', directory);
    expect(exit).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'test_long', fail: true, output: Buffer.from('begun\ncounted\n').toString('base64') },
    ]);
  });
});

import type { CategoryGuide } from './example.js';

export const writ: CategoryGuide = {
  'unresolved-reference': {
    why: `A ref into \`data\` that no rule, no document and no \`with\` has is always undefined: a rule that needs it never holds, and a \`not\` of it always does. A test under \`not\` passes then, whatever the policy says. Told, too, is a \`with\` of a name that nothing reads, if it is like one that something reads: the \`with\` changes no decision. So is a member that no rule of a set makes (\`not deny["lokced"]\`): one that is like another, and in a test with an input of its own any message of several words. And a part of an input that a \`with\` gives (\`with input.usr as …\`, \`with input as {"usr": …}\`), if it is like one that rules read, and that one is not given.

Not told are names below a variable (\`data[name].allow\`), names outside of the roots of a bundle, names that metadata describes (\`schemas\`, \`unknowns\`), and those that hosts give: \`data.inventory\` of Gatekeeper, \`data.kubernetes\` of kube-mgmt, \`data.conftest\`, \`data.system\`. Below a document, a key is told only if another one is like it.`,
    bad: '-- authz.rego\npackage authz\n\ndefault allow := false\n\nallow if input.user == "ann"\n-- authz_test.rego\npackage authz_test\n\ntest_others_are_denied if not data.authz.alow with input as {"user": "bob"}',
    good: '-- authz.rego\npackage authz\n\ndefault allow := false\n\nallow if input.user == "ann"\n-- authz_test.rego\npackage authz_test\n\ntest_others_are_denied if not data.authz.allow with input as {"user": "bob"}',
  },
  'unresolved-import': {
    why: 'An import of a package, rule or document that is not there. All refs through it are undefined.',
    bad: '-- authz.rego\npackage authz\n\nallow if input.user == "ann"\n-- roles.rego\npackage roles\n\nimport data.auth\n\nadmin if auth.allow',
    good: '-- authz.rego\npackage authz\n\nallow if input.user == "ann"\n-- roles.rego\npackage roles\n\nimport data.authz\n\nadmin if authz.allow',
  },
  'unused-output-variable': {
    why: `A variable that stands once in a rule, as a key, is no look-up: \`grants[rol]\` is any member of \`grants\`. If any member is meant, write \`grants[_]\`.

Not told are names of one letter, \`idx\`, \`index\`, and those that begin with \`_\`. In policies of version 0, which write their loops so, only a name that is like another one is told.`,
    bad: 'allow if {\n\trole := input.user.role\n\tinput.grants[rol] == "write"\n}',
    good: 'allow if {\n\trole := input.user.role\n\tinput.grants[role] == "write"\n}\n\naudited if input.grants[_] == "audit"',
  },
  'empty-collection': {
    why: `A key, a loop or \`in\`, where the list, set or object is empty in the policy. Nothing is ever found in it. With \`--strict\` this is an error of \`writ check\`. A collection that the users of a policy fill in has a comment. \`count(x) == 0\` asks whether a collection is empty.

Not told are loops over a literal (\`some x in []\`), and collections that a \`with\` replaces.`,
    bad: 'allowed := set()\n\ndeny contains "name" if not allowed[input.name]',
    good: 'allowed := set()\n\n# writ:ignore empty-collection -- clusters add their names\ndeny contains "name" if not allowed[input.name]',
  },
  'lone-default': {
    why: `A default, and no rule that ever gives another value. Where the rule is misspelt, the policy always answers with the default. A constant is written \`allow := false\`.

Not told are empty collections, defaults that a \`with\` replaces, names that \`.writ.yaml\` has under \`known\`, and rules that another file of the project has.`,
    bad: 'default allow := false\n\nalow if input.user == "ann"',
    good: 'default allow := false\n\nallow if input.user == "ann"',
  },
  'unresolved-entrypoint': {
    why: 'An entrypoint that no rule is at: of metadata, in a package without rules, or of the command line. `writ build` makes the bundle all the same, and warns on stderr: at a terminal, and everywhere of a name that is like another one.',
    bad: '# METADATA\n# entrypoint: true\npackage shop',
    good: '# METADATA\n# entrypoint: true\npackage shop\n\nallow if input.user == "ann"',
  },
  'misnamed-test': {
    why: 'A rule among tests that nothing reads, with a name that almost begins with `test_`. `writ test` does not run it.',
    bad: 'tset_sum if 1 + 1 == 3',
    good: 'test_sum if 1 + 1 == 2',
    file: 'shop_test.rego',
  },
  'impossible-condition': {
    why: `A condition that never holds beside the others of its body, or for the type of its value. The whole body never holds then. Compared are constants, bounds, lists, beginnings and ends of texts, types of built-ins and of schemas, and negations of them.

In an expression with \`with input as …\`, which the type checker passes over, the types of rules are compared too: \`not data.p.deny == []\` always holds where \`deny\` is a set, so that a test with it passes whatever the policy says.

Not told are values of several members (\`users[_].id\` twice), types where a \`with\` replaces a rule or a function, and comparisons of two values that are no constants.`,
    bad: 'allow if {\n\tinput.role == "admin"\n\tinput.role == "owner"\n}\n\nread if lower(input.method) == "GET"',
    good: 'allow if input.role in ["admin", "owner"]\n\nread if lower(input.method) == "get"',
  },
  'impossible-not': {
    why: 'A rule with `contains` makes a set, which is defined also when it is empty. So `not` of it never holds, and the whole body neither. Most often it is asked whether the set is empty.',
    bad: 'deny contains "locked" if input.user.locked\n\nallow if not deny',
    good: 'deny contains "locked" if input.user.locked\n\nallow if count(deny) == 0',
  },
  'set-as-condition': {
    why: 'A rule with `contains` makes a set, which is defined also when it is empty. As a condition it always holds. Most often it is asked whether something is in the set.',
    bad: 'deny contains "locked" if input.user.locked\n\nblocked if deny',
    good: 'deny contains "locked" if input.user.locked\n\nblocked if count(deny) > 0',
  },
  'redundant-condition': {
    why: 'A condition that always holds where the others of its body do, or for the type of its value. It decides nothing: often another value was meant.',
    bad: 'allow if {\n\tinput.role == "admin"\n\tinput.role != "guest"\n}\n\nbusy if count(input.jobs) >= 0',
    good: 'allow if input.role == "admin"\n\nbusy if count(input.jobs) > 0',
  },
  'unreachable-else': {
    why: 'An `else` is tried where the branches above it fail. If one of them holds whenever this one would, it never has its turn: the order is wrong, or a condition is.',
    bad: 'size := "large" if input.weight > 10\n\nelse := "huge" if input.weight > 100',
    good: 'size := "huge" if input.weight > 100\n\nelse := "large" if input.weight > 10',
  },
  'unreachable-default': {
    why: 'A rule without conditions always has its value, so that its default is never used. An `allow := true` that is left from a trial opens a policy whose default says otherwise.',
    bad: 'default allow := false\n\nallow := true',
    good: 'default allow := false\n\nallow if input.user == "ann"',
  },
  'redundant-default': {
    why: 'An `else` without conditions, or a condition and its negation, hold in any case. The default beside them says a value that nobody sees.',
    bad: 'default fee := 10\n\nfee := 0 if input.member\n\nelse := 5',
    good: 'default fee := 5\n\nfee := 0 if input.member',
  },
  'conflicting-rules': {
    why: `A complete rule, or a function, with two definitions that hold for one input and have different values ends the evaluation with an error. The finding names such an input.

Looked at are definitions with constant values, whose conditions are about the input or the parameters alone. What inputs there are in fact is not known: where two conditions never meet, a comment says so.`,
    bad: 'level := "high" if input.score >= 7\n\nlevel := "critical" if input.score >= 9',
    good: 'level := "critical" if input.score >= 9\n\nelse := "high" if input.score >= 7',
  },
  'vacuous-test': {
    why: `A test whose conditions all hold whatever the rules say: an assignment of a rule that has a default, a rule that makes a set (an empty set is true), a count that is not below zero, \`print\`. It passes, and shows nothing.`,
    bad: '-- example/example.rego\npackage example\n\ndefault allow := false\n\nallow if input.user == "ann"\n-- example/example_test.rego\npackage example_test\n\nimport data.example\n\ntest_ann_is_allowed if {\n\tresult := example.allow with input as {"user": "ann"}\n}',
    good: '-- example/example.rego\npackage example\n\ndefault allow := false\n\nallow if input.user == "ann"\n-- example/example_test.rego\npackage example_test\n\nimport data.example\n\ntest_ann_is_allowed if {\n\tresult := example.allow with input as {"user": "ann"}\n\tresult == true\n}',
  },
  'constant-test': {
    why: 'A test that reads nothing of `data` has always the same outcome: it tests the language, and no rule of the policy.',
    bad: '-- example/example_test.rego\npackage example_test\n\ntest_sum if 1 + 1 == 2',
    good: '-- example/example.rego\npackage example\n\nsum := input.a + input.b\n-- example/example_test.rego\npackage example_test\n\nimport data.example\n\ntest_sum if example.sum == 2 with input as {"a": 1, "b": 1}',
  },
  'invalid-regexp': {
    why: `A text that is no regular expression of RE2's syntax, which has no look-around and no back references. The call ends with an error, which an evaluation takes for *undefined*: the condition never holds, and a \`not\` of it always does.

Told are literals, variables and rules with one constant value, and members of constant lists. Rules that ask \`regex.is_valid\`, themselves or through a helper, are not looked at, nor are constants that any rule asks it about.`,
    bad: 'deny contains "name" if not regex.match("^[a-z+$", input.name)',
    good: 'deny contains "name" if not regex.match("^[a-z]+$", input.name)',
  },
  'invalid-glob': {
    why: `A text that is no glob. The call ends with an error, which an evaluation takes for *undefined*: the condition never holds, and a \`not\` of it always does.`,
    bad: 'images := ["registry.example.com/[a-z/*"]\n\nallow if {\n\tsome image in images\n\tglob.match(image, ["/"], input.image)\n}',
    good: 'images := ["registry.example.com/[a-z]/*"]\n\nallow if {\n\tsome image in images\n\tglob.match(image, ["/"], input.image)\n}',
  },
  'impossible-pattern': {
    why: 'A regular expression or glob that no text matches: `$` stands before more characters, `^` behind some, or the pattern has capitals and the text comes from `lower`. The condition never holds.',
    bad: 'private if regex.match("$/private", input.path)\n\nhome if glob.match("*.Example.com", [], lower(input.host))',
    good: 'private if regex.match("^/private", input.path)\n\nhome if glob.match("*.example.com", [], lower(input.host))',
  },
  'timing-unsafe-comparison': {
    why: `A comparison of texts ends at the first character that differs. Who can ask often, and measures how long answers take, finds out a secret character by character. \`crypto.hmac.equal\` takes the same time for all texts of a length, also for texts that are no HMACs.

Looked at are results of \`crypto.hmac\`, and values whose name is that of a secret: \`password\`, \`token\`, \`api_key\`, \`secret\`, \`signature\`, and such with words before them. Comparisons of two values of the input, with short constants, and in tests are not told.`,
    bad: 'allow if input.token == data.secrets.token\n\nsigned if crypto.hmac.sha256(input.body, data.secrets.key) == input.signature',
    good: 'allow if crypto.hmac.equal(input.token, data.secrets.token)\n\nsigned if crypto.hmac.equal(crypto.hmac.sha256(input.body, data.secrets.key), input.signature)',
  },
  'open-on-undefined': {
    why: 'A permission all of whose conditions are under `not` is given to an input that has nothing at all: what is undefined is not blocked either. An empty body of a request, or a field that was renamed, opens the door.',
    bad: 'allow if {\n\tnot input.user.suspended\n\tnot blocked\n}\n\nblocked if input.address in {"10.0.0.1", "10.0.0.2"}',
    good: 'allow if {\n\tinput.user.name != ""\n\tnot input.user.suspended\n\tnot blocked\n}\n\nblocked if input.address in {"10.0.0.1", "10.0.0.2"}',
  },
  'unused-rule': {
    why: `A rule that no entrypoint reaches, directly or through others, and no test. It is left over, or a rule that was to read it does not.

Told are rules of packages with an entrypoint (\`# entrypoint: true\` in the metadata), functions where there is an entrypoint anywhere, and rules whose name begins with one \`_\`. Rules that a policy of the project names which is not linted are not told, nor those that hosts read: \`data.system\`, names that begin with \`__\`.`,
    bad: '# METADATA\n# entrypoint: true\nallow if is_owner\n\nis_owner if input.user == input.owner\n\nis_admin if "admin" in input.roles',
    good: '# METADATA\n# entrypoint: true\nallow if is_owner\n\nallow if is_admin\n\nis_owner if input.user == input.owner\n\nis_admin if "admin" in input.roles',
  },
  'unindexed-loop': {
    why: `A comparison by \`==\` of a part of the elements with a value that is known is looked up in an index. Other conditions (\`startswith\`, \`<\`, \`regex.match\`, \`lower(x.name) ==\`) look at each element in turn, so that the decision takes longer the more there are: about 7 µs for 1,000 elements and \`startswith\`. A loop in a loop multiplies.

The finding names the number of elements if the document is linted with the policies, and is not told for less than 100. [Fast policies](../../author/speed.md) has figures and ways out.`,
    bad: 'allow if {\n\tsome grant in data.grants\n\tlower(grant.user) == input.user\n}',
    good: 'allow if {\n\tsome grant in data.grants\n\tgrant.user == lower(input.user)\n}',
  },
  'changing-cached-decision': {
    why: 'A decision that is cached must depend on its input alone. `time.now_ns`, `http.send`, `rand.intn`, `uuid.rfc4122`, `net.lookup_ip_addr` and `opa.runtime` answer otherwise next time. A rule is cached where its metadata has `custom.cache`, or where its value has a header `cache-control` that lets clients keep the answer.',
    bad: 'decision := {"allowed": open, "headers": {"cache-control": "max-age=3600"}}\n\ndefault open := false\n\nopen if time.now_ns() < input.closes',
    good: 'decision := {"allowed": open, "headers": {"cache-control": "no-store"}}\n\ndefault open := false\n\nopen if time.now_ns() < input.closes',
  },
  'unknown-input-field': {
    why: `A ref to a field that a schema lacks is an error of the compiler. \`object.get\` takes a name as a text: with a name that the schema lacks it gives its default, always.

Schemas come from \`--schema\` of \`writ check\`, and from metadata. A schema that lists properties has no others, as for refs.`,
    bad: '# METADATA\n# schemas:\n#   - input: {type: object, properties: {user: {type: string}}}\nallow if object.get(input, "usr", "ann") == "ann"',
    good: '# METADATA\n# schemas:\n#   - input: {type: object, properties: {user: {type: string}}}\nallow if object.get(input, "user", "bob") == "ann"',
  },
};

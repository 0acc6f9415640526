import type { CategoryGuide } from './example.js';

export const bugs: CategoryGuide = {
  'annotation-without-metadata': {
    why: 'Only comments below a `# METADATA` line are annotations. Without it, the words are a plain comment that no tool reads.',
    bad: '# description: who may enter\nallow if input.ticket',
    good: '# METADATA\n# description: who may enter\nallow if input.ticket',
  },
  'argument-always-wildcard': {
    why: 'An argument that no definition looks at only makes calls longer. Functions whose name begins with `mock_` are left out.',
    bad: 'price(weight, _) := weight * 2',
    good: 'price(weight) := weight * 2',
  },
  'constant-condition': {
    why: 'A condition that is always the same decides nothing: it is left from a trial, or a variable is missing.',
    bad: 'allow if {\n\t1 == 1\n\tinput.ticket\n}',
    good: 'allow if {\n\tinput.age > 17\n\tinput.ticket\n}',
  },
  'deprecated-builtin': {
    why: 'These built-ins are gone in version 1 of the language. Newer ones, or operators, do the same.',
    bad: 'allow {\n\tany([input.owner, input.admin])\n}',
    good: 'import future.keywords.in\n\nallow {\n\ttrue in [input.owner, input.admin]\n}',
  },
  'duplicate-rule': {
    why: 'A rule that is written twice adds nothing. Usually a copy was to be changed, and was not.',
    bad: 'allow if input.owner\n\nallow if input.owner',
    good: 'allow if input.owner\n\nallow if input.admin',
  },
  'if-empty-object': {
    why: 'Braces without content are an empty object, not an empty body, and an object always holds.',
    bad: 'allow if {}',
    good: 'allow if input.ticket',
  },
  'if-object-literal': {
    why: 'An object behind `if` always holds. A comparison was meant, or a body with conditions.',
    bad: 'allow if {"role": input.role}',
    good: 'allow if input.role == "admin"',
  },
  'impossible-not': {
    why: 'A set rule is always defined, if only as the empty set, so that `not` of it never holds.',
    bad: 'problems contains p if some p in input.problems\n\nallow if not problems',
    good: 'problems contains p if some p in input.problems\n\nallow if problems == set()',
  },
  'import-shadows-rule': {
    why: 'The name means the import in the whole file. The rule cannot be used by its name.',
    bad: 'import data.registry.users\n\nusers contains u if some u in input.users',
    good: 'import data.registry.users as registered\n\nusers contains u if some u in input.users\n\nallow if input.user in registered',
  },
  'inconsistent-args': {
    why: 'An argument with another name in each definition suggests another meaning. Readers expect one order.',
    bad: 'price(kind, weight) := weight if kind != "oil"\n\nprice(weight, kind) := weight * 2 if kind != "corn"',
    good: 'price(kind, weight) := weight if kind != "oil"\n\nprice(kind, weight) := weight * 2 if kind != "corn"',
  },
  'internal-entrypoint': {
    why: 'A name with a leading underscore says that a rule is for its package alone. An entrypoint is for others.',
    bad: '# METADATA\n# entrypoint: true\n_allow := true',
    good: '# METADATA\n# entrypoint: true\nallow := true',
  },
  'invalid-metadata-attribute': {
    why: 'Metadata has a fixed set of attributes, and others are dropped. Own values stand below `custom`.',
    bad: '# METADATA\n# title: entry\n# severity: high\nallow if input.ticket',
    good: '# METADATA\n# title: entry\n# custom:\n#   severity: high\nallow if input.ticket',
  },
  'invalid-regexp': {
    why: 'A pattern that does not compile makes the call undefined, so that the condition never holds.',
    bad: 'named if regex.match(`^[a-z`, input.name)',
    good: 'named if regex.match(`^[a-z]`, input.name)',
  },
  'leaked-internal-reference': {
    why: 'A leading underscore says that a rule may change without notice. Other packages must not rely on it.',
    bad: 'allow if data.registry._entries[input.id]',
    good: 'allow if data.registry.entries[input.id]',
  },
  'not-equals-in-loop': {
    why: '`x != xs[_]` holds as soon as one element differs. That no element is equal says `not x in xs`.',
    bad: 'barred if "oil" != input.cargo[_]',
    good: 'barred if not "oil" in input.cargo',
  },
  'redundant-existence-check': {
    why: 'An expression that uses a ref fails where the ref is undefined: a check of its own says the same twice.',
    bad: 'allow if {\n\tinput.name\n\tstartswith(input.name, "a")\n}',
    good: 'allow if startswith(input.name, "a")',
  },
  'redundant-loop-count': {
    why: 'A loop over an empty collection has no turn: the count before it decides nothing.',
    bad: 'allow if {\n\tcount(input.roles) > 0\n\tsome role in input.roles\n\trole.admin\n}',
    good: 'allow if {\n\tsome role in input.roles\n\trole.admin\n}',
  },
  'rule-assigns-default': {
    why: 'The default gives this value already, wherever no other rule does.',
    bad: 'default allow := false\n\nallow if input.ticket\n\nallow := false if input.banned',
    good: 'default allow := false\n\nallow if {\n\tinput.ticket\n\tnot input.banned\n}',
  },
  'rule-named-if': {
    why: 'In version 0, `if` is a name unless it is imported: the text is a rule called `if`, beside the one that was meant.',
    bad: 'allow = 1 {\n\tinput.x\n}\n\nif {\n\tinput.y\n}',
    good: 'import future.keywords.if\n\nallow if {\n\tinput.y\n}\n\nopen = 1 {\n\tinput.x\n}',
  },
  'rule-shadows-builtin': {
    why: 'The built-in of this name, or all of its namespace, is out of reach in the package.',
    bad: 'count := 4',
    good: 'users_count := 4',
  },
  'sprintf-arguments-mismatch': {
    why: 'A verb without a value prints `%!s(MISSING)`, a value without a verb `%!(EXTRA …)`.',
    bad: 'message := sprintf("%s may not %s", [input.user])',
    good: 'message := sprintf("%s may not %s", [input.user, input.action])',
  },
  'time-now-ns-twice': {
    why: 'The time does not change during a decision: a second call gives the same number, and no duration.',
    bad: 'late if {\n\ttime.now_ns() > input.due\n\ttime.now_ns() > input.reminder\n}',
    good: 'late if {\n\tnow := time.now_ns()\n\tnow > input.due\n\tnow > input.reminder\n}',
  },
  'top-level-iteration': {
    why: 'A rule has one value. A value that takes each element in turn is an error as soon as two differ.',
    bad: 'name := input.users[_].name',
    good: 'names contains user.name if some user in input.users',
  },
  'unassigned-return-value': {
    why: 'A text or number as a condition holds whatever it is. The result was to be compared, or assigned.',
    bad: 'allow if {\n\tlower(input.role)\n\tinput.ticket\n}',
    good: 'allow if {\n\tlower(input.role) == "admin"\n\tinput.ticket\n}',
  },
  'unused-output-variable': {
    why: 'A variable that only its loop knows suggests a use that is not there. The wildcard `_` says so.',
    bad: 'allow if {\n\tsome i\n\tinput.users[i].admin\n}',
    good: 'allow if input.users[_].admin',
  },
  'var-shadows-builtin': {
    why: 'The built-in of this name, or its namespace, is out of reach in the rule.',
    bad: 'allow if {\n\tcount := 3\n\tinput.n > count\n}',
    good: 'allow if {\n\tlimit := 3\n\tinput.n > limit\n}',
  },
  'zero-arity-function': {
    why: 'A function without arguments is a rule: the parentheses are dropped, and calls with them are errors.',
    bad: 'depth() := 4',
    good: 'depth := 4',
  },
};

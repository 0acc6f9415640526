import type { CategoryGuide } from './example.js';

export const idiomatic: CategoryGuide = {
  'ambiguous-scope': {
    why: 'Metadata above one of several rules of a name may be about this rule, or about all. Its scope says which.',
    bad: '# METADATA\n# description: who may enter\nallow if input.owner\n\nallow if input.admin',
    good: '# METADATA\n# description: who may enter\n# scope: document\nallow if input.owner\n\nallow if input.admin',
  },
  'boolean-assignment': {
    why: 'A rule with a condition as its value is false where the condition is, instead of undefined. Behind `if` it reads as what it is.',
    bad: 'adult := input.age > 17',
    good: 'adult if input.age > 17',
  },
  'custom-has-key-construct': {
    why: 'Whether an object has a key asks `in` of `object.keys`, without a function for it.',
    bad: 'knows(book, page) if {\n\t_ = book[page]\n}',
    good: 'knows(book, page) if page in object.keys(book)',
  },
  'custom-in-construct': {
    why: 'The operator `in` looks for an element. A function of your own has to be read first.',
    bad: 'holds(list, item) if item == list[_]',
    good: 'holds(list, item) if item in list',
  },
  'directory-package-mismatch': {
    why: 'Who looks for a package finds it by its path. Tests stand beside what they test: a last `_test` of the package does not count.',
    bad: '-- other/policy.rego\nallow if input.ticket',
    good: '-- example/policy.rego\nallow if input.ticket',
  },
  'equals-pattern-matching': {
    why: 'A function is chosen by its arguments: a constant in the place of one needs no comparison, and is found by an index.',
    bad: 'known(kind) if kind == "oil"',
    good: 'known("oil")',
  },
  'in-wildcard-key': {
    why: '`some x in xs` iterates over values without naming the key.',
    bad: 'names contains n if some _, n in input.names',
    good: 'names contains n if some n in input.names',
  },
  'no-defined-entrypoint': {
    why: 'An entrypoint in the metadata tells people and tools where decisions begin: what is served, built and documented.',
    bad: '-- a/a.rego\npackage a\n\nallow if input.ticket\n-- b/b.rego\npackage b\n\nopen if input.ready',
    good: '-- a/a.rego\npackage a\n\n# METADATA\n# entrypoint: true\nallow if input.ticket\n-- b/b.rego\npackage b\n\nopen if input.ready',
  },
  'non-raw-regex-pattern': {
    why: 'In quotes each backslash has to be doubled. In back ticks a pattern reads as it is.',
    bad: 'digits if regex.match("^\\\\d+$", input.code)',
    good: 'digits if regex.match(`^\\d+$`, input.code)',
  },
  'prefer-equals-comparison': {
    why: '`=` may assign variables. Where all have their values, `==` says that two are compared.',
    bad: 'same if input.a = input.b',
    good: 'same if input.a == input.b',
  },
  'prefer-set-or-object-rule': {
    why: 'A rule with `contains` or a key can be extended by other rules, and only the members that are asked for are computed.',
    bad: 'admins := {u | some u in input.users; u.admin}',
    good: 'admins contains u if {\n\tsome u in input.users\n\tu.admin\n}',
  },
  'single-item-in': {
    why: 'A collection with one element is compared faster, and read faster, as the element.',
    bad: 'allow if input.role in {"admin"}',
    good: 'allow if input.role == "admin"',
  },
  'superfluous-object-get': {
    why: 'A ref that is undefined is not equal to anything. The default of `object.get` never equals the other side, and says nothing.',
    bad: 'allow if object.get(input, "role", "") == "admin"',
    good: 'allow if input.role == "admin"',
  },
  'use-array-flatten': {
    why: '`array.flatten` joins any number of arrays in one call.',
    bad: 'all_users := array.concat(input.a, array.concat(input.b, input.c))',
    good: 'all_users := array.flatten([input.a, input.b, input.c])',
  },
  'use-contains': {
    why: '`contains` says that a rule is a set. Brackets may be a set or an object.',
    bad: 'admins["alice"] {\n\tinput.ready\n}',
    good: 'import rego.v1\n\nadmins contains "alice" if input.ready',
  },
  'use-if': {
    why: '`if` separates the head from the body, and version 1 of the language wants it.',
    bad: 'allow {\n\tinput.ticket\n}',
    good: 'import rego.v1\n\nallow if input.ticket',
  },
  'use-in-operator': {
    why: '`in` says that an element is looked for, and stops at the first.',
    bad: 'allow if "admin" == input.roles[_]',
    good: 'allow if "admin" in input.roles',
  },
  'use-object-keys': {
    why: '`object.keys` is the set of the keys, without a loop in the policy.',
    bad: 'ids := count({k | some k, _ in input.users})',
    good: 'ids := count(object.keys(input.users))',
  },
  'use-object-union-n': {
    why: '`object.union_n` joins any number of objects in one call.',
    bad: 'labels := object.union(input.a, object.union(input.b, input.c))',
    good: 'labels := object.union_n([input.a, input.b, input.c])',
  },
  'use-some-for-output-vars': {
    why: 'A variable that takes its values from a ref may become a rule or an import by a later change. `some` keeps it a variable.',
    bad: 'busy if {\n\tinput.seats[i].taken == true\n\ti > 2\n}',
    good: 'busy if {\n\tsome i\n\tinput.seats[i].taken == true\n\ti > 2\n}',
  },
  'use-strings-count': {
    why: '`indexof_n` makes a list of all places, only to count them.',
    bad: 'dots := count(indexof_n(input.path, "."))',
    good: 'dots := strings.count(input.path, ".")',
  },
};

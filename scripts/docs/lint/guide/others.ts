import type { CategoryGuide } from './example.js';

export const custom: CategoryGuide = {
  'chained-rule-body': {
    why: 'A second body behind the first one is an “or” that is easily read as an “and”. A head of its own says that it is another rule.',
    bad: 'allow if {\n\tinput.owner\n} {\n\tinput.admin\n}',
    good: 'allow if input.owner\n\nallow if input.admin',
  },
  'disallow-rego-v1': {
    why: 'Where all files are version 1, the import is without effect.',
    bad: 'import rego.v1\n\nallow if input.ticket',
    good: 'allow if input.ticket',
  },
  'forbidden-function-call': {
    why: 'A team may not want some built-ins, for example those that ask the network during a decision.',
    bad: 'allow if http.send({"url": "https://example.com", "method": "get"}).status_code == 200',
    good: 'allow if input.status == 200',
    options: { 'forbidden-functions': ['http.send'] },
  },
  'missing-metadata': {
    why: 'Metadata documents what is public: rules without a leading underscore.',
    bad: '-- a/a.rego\npackage a\n\nallow if input.ticket\n-- b/b.rego\npackage b\n\n_open if input.ready',
    good: '-- a/a.rego\npackage a\n\n# METADATA\n# description: who may enter\nallow if input.ticket\n-- b/b.rego\npackage b\n\n_open if input.ready',
  },
  'naming-convention': {
    why: 'Names that follow an agreement are found, and sorted, by it.',
    bad: 'permitted if input.ticket',
    good: 'allow_entry if input.ticket',
    options: { conventions: [{ pattern: '^(allow|deny)_', targets: ['rule'] }] },
  },
  'narrow-argument': {
    why: 'A function that takes no more than it needs can be called with less, and is easier to test.',
    bad: 'price(ship) := ship.cargo.weight * ship.cargo.rate',
    good: 'price(cargo) := cargo.weight * cargo.rate',
  },
  'one-liner-rule': {
    why: 'A short rule on one line leaves room for others.',
    bad: 'allow if {\n\tinput.ticket\n}',
    good: 'allow if input.ticket',
  },
  'prefer-value-in-head': {
    why: 'A value that the last expression names is written in the head, where readers look for it.',
    bad: 'names contains n if {\n\tsome user in input.users\n\tn := user.name\n}',
    good: 'names contains user.name if some user in input.users',
  },
};

export const performance: CategoryGuide = {
  'defer-assignment': {
    why: 'An expression that does not need the value may fail first, and then the value is not computed.',
    bad: 'allow if {\n\trole := lower(input.role)\n\tstartswith(input.path, "/admin")\n\trole == "admin"\n}',
    good: 'allow if {\n\tstartswith(input.path, "/admin")\n\trole := lower(input.role)\n\trole == "admin"\n}',
  },
  'equals-over-count': {
    why: 'To know whether a collection is empty, its elements need not be counted.',
    bad: 'quiet if count(input.alarms) == 0',
    good: 'quiet if input.alarms == []',
  },
  'non-loop-expression': {
    why: 'What does not depend on the loop is decided once before it, not in each turn.',
    bad: 'allow if {\n\tsome user in input.users\n\tstartswith(input.path, "/admin")\n\tuser.admin\n}',
    good: 'allow if {\n\tstartswith(input.path, "/admin")\n\tsome user in input.users\n\tuser.admin\n}',
  },
  'walk-no-path': {
    why: 'A path that nobody reads is not built if a wildcard stands for it.',
    bad: 'names contains value.name if {\n\twalk(input, [path, value])\n\tvalue.kind == "user"\n}',
    good: 'names contains value.name if {\n\twalk(input, [_, value])\n\tvalue.kind == "user"\n}',
  },
  'with-outside-test-context': {
    why: 'A `with` evaluates its rules again, and reuses nothing of the first evaluation. Write a function and give it arguments.',
    bad: 'allow if data.gate.open with input as {"day": input.day}',
    good: 'allow if data.gate.open',
  },
};

export const testing: CategoryGuide = {
  'dubious-print-sprintf': {
    why: '`print` shows undefined values as such. With `sprintf`, one of them makes the whole line undefined.',
    bad: 'allow if {\n\tprint(sprintf("role %v", [input.role]))\n\tinput.ticket\n}',
    good: 'allow if {\n\tprint("role", input.role)\n\tinput.ticket\n}',
  },
  'file-missing-test-suffix': {
    why: 'Tools leave tests out by the name of the file.',
    bad: '-- example/example.rego\npackage example_test\n\ntest_allow if input.x == 1',
    good: '-- example/example_test.rego\npackage example_test\n\ntest_allow if input.x == 1',
  },
  'identically-named-tests': {
    why: 'Two tests of one name are one rule: it passes if one of them does.',
    bad: 'test_allow if input.a == 1\n\ntest_allow if input.a == 2',
    good: 'test_allow if input.a == 1\n\ntest_deny if input.a == 2',
    file: 'example/example_test.rego',
  },
  'metasyntactic-variable': {
    why: 'Names such as `foo` are for texts about programs. In a policy they hide what a value is.',
    bad: 'allow if {\n\tfoo := input.user\n\tfoo.admin\n}',
    good: 'allow if {\n\tuser := input.user\n\tuser.admin\n}',
  },
  'print-or-trace-call': {
    why: 'Output for the search of a fault costs time in each decision.',
    bad: 'allow if {\n\tprint("user", input.user)\n\tinput.ticket\n}',
    good: 'allow if input.ticket',
  },
  'test-outside-test-package': {
    why: 'A test in the package itself is a part of it, and of its bundles.',
    bad: 'package example\n\ntest_allow if input.a == 1',
    good: 'package example_test\n\ntest_allow if input.a == 1',
    file: 'example/example_test.rego',
  },
  'todo-test': {
    why: 'A test that is switched off is forgotten.',
    bad: 'todo_test_allow if input.a == 1',
    good: 'test_allow if input.a == 1',
    file: 'example/example_test.rego',
  },
};

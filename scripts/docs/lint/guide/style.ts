import type { CategoryGuide } from './example.js';

export const style: CategoryGuide = {
  'avoid-get-and-list-prefix': {
    why: 'A rule is a value, not an action: `get_` and `list_` say nothing about it.',
    bad: 'get_price(x) := x + 1',
    good: 'price(x) := x + 1',
  },
  'comprehension-term-assignment': {
    why: 'A value that only the head of the comprehension needs is written there.',
    bad: 'names := [n |\n\tsome user in input.users\n\tn := user.name\n]',
    good: 'names := [user.name | some user in input.users]',
  },
  'default-over-else': {
    why: 'A default says the value where nothing else holds, at the top of the rule.',
    bad: 'price := 4 if {\n\tinput.large\n} else := 2',
    good: 'default price := 2\n\nprice := 4 if input.large',
  },
  'default-over-not': {
    why: 'A default says the value where nothing else holds, without naming the ref again.',
    bad: 'name := input.name\n\nname := "nobody" if not input.name',
    good: 'default name := "nobody"\n\nname := input.name',
  },
  'detached-metadata': {
    why: 'An empty line suggests that the metadata is about nothing, or about the file. It belongs to what follows.',
    bad: '# METADATA\n# description: who may enter\n\nallow if input.ticket',
    good: '# METADATA\n# description: who may enter\nallow if input.ticket',
  },
  'double-negative': {
    why: '`not no_…` has to be turned around in the head. A positive name reads at once.',
    bad: 'allow if not no_ticket\n\nno_ticket if input.ticket == ""',
    good: 'allow if has_ticket\n\nhas_ticket if input.ticket != ""',
  },
  'external-reference': {
    why: 'A function that reads the input, data or rules depends on more than its arguments. It is harder to test and to reuse.',
    bad: 'price(x) := y if {\n\tx.kind == input.kind\n\tx.day == data.day\n\ty := rate\n}\n\nrate := 3',
    good: 'price(x, day) := x.rate if x.day == day',
  },
  'file-length': {
    why: 'A long file has several subjects. Packages may be split into files.',
    bad: 'allow if input.ticket\n\nopen if input.ready',
    good: 'allow if input.ticket',
    options: { 'max-file-length': 5 },
  },
  'function-arg-return': {
    why: 'A result that is passed as a last argument is not seen as one. An assignment says it.',
    bad: 'allow if {\n\tlower(input.role, role)\n\trole == "admin"\n}',
    good: 'allow if {\n\trole := lower(input.role)\n\trole == "admin"\n}',
  },
  'line-length': {
    why: 'Long lines are not read to their end, and differences in them are hard to see.',
    bad: '# This comment explains at great length who may enter, when, and under which circumstances, and it does not fit one line.\nallow if input.ticket',
    good: '# This comment explains who may enter.\nallow if input.ticket',
  },
  'messy-rule': {
    why: 'The rules of a name are read together, and so they stand together.',
    bad: 'allow if input.owner\n\nopen if input.ready\n\nallow if input.admin',
    good: 'allow if input.owner\n\nallow if input.admin\n\nopen if input.ready',
  },
  'mixed-iteration': {
    why: 'A `some … in` over a ref that iterates itself hides one of the loops.',
    bad: 'allow if {\n\tsome user in input.groups[_].users\n\tuser.admin\n}',
    good: 'allow if {\n\tsome group in input.groups\n\tsome user in group.users\n\tuser.admin\n}',
  },
  'no-whitespace-comment': {
    why: 'A space separates the sign from the words.',
    bad: '#who may enter\nallow if input.ticket',
    good: '# who may enter\nallow if input.ticket',
  },
  'opa-fmt': {
    why: 'With one layout for all, differences show what has changed. `writ fmt -w` makes it.',
    bad: 'allow if {\n  input.ticket\n}',
    good: 'allow if {\n\tinput.ticket\n}',
  },
  'pointless-reassignment': {
    why: 'A second name for a value says nothing new.',
    bad: 'allow if {\n\tuser := input.user\n\tperson := user\n\tperson.admin\n}',
    good: 'allow if {\n\tuser := input.user\n\tuser.admin\n}',
  },
  'prefer-snake-case': {
    why: 'Built-ins and most policies have names in small letters with underscores.',
    bad: 'isAdmin if input.role == "admin"',
    good: 'is_admin if input.role == "admin"',
  },
  'prefer-some-in-iteration': {
    why: '`some … in` names the element and says that there is a loop.',
    bad: 'allow if {\n\tuser := input.users[_]\n\tuser.admin\n}',
    good: 'allow if {\n\tsome user in input.users\n\tuser.admin\n}',
  },
  'rule-length': {
    why: 'A long rule has several ideas, which could be rules with names.',
    bad: 'allow if {\n\tinput.a\n\tinput.b\n\tinput.c\n}',
    good: 'allow if {\n\tinput.a\n\tinput.b\n}',
    options: { 'max-rule-length': 4 },
  },
  'rule-name-repeats-package': {
    why: 'A rule is used with the name of its package: it need not have it twice.',
    bad: 'example_allow if input.ticket',
    good: 'allow if input.ticket',
  },
  'todo-comment': {
    why: 'Work that is left to do is forgotten in comments. An issue is not.',
    bad: '# TODO: look at the date\nallow if input.ticket',
    good: '# The date is looked at by the gate.\nallow if input.ticket',
  },
  'trailing-default-rule': {
    why: 'A default is read first: it says what holds unless the rules below say otherwise.',
    bad: 'allow if input.ticket\n\ndefault allow := false',
    good: 'default allow := false\n\nallow if input.ticket',
  },
  'unconditional-assignment': {
    why: 'A body that only assigns the value is no condition. The value is written in the head.',
    bad: 'price := p if {\n\tp := 4\n}',
    good: 'price := 4',
  },
  'unnecessary-some': {
    why: '`some` declares variables. Without any, `in` alone asks the same.',
    bad: 'allow if {\n\tsome "admin" in input.roles\n}',
    good: 'allow if "admin" in input.roles',
  },
  'use-assignment-operator': {
    why: '`:=` says that a rule gets its value here. `=` may compare.',
    bad: 'price = 4',
    good: 'price := 4',
  },
  'yoda-condition': {
    why: 'A condition asks about its left side: the age is at least eighteen.',
    bad: 'adult if 18 <= input.age',
    good: 'adult if input.age >= 18',
  },
};

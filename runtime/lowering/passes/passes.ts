/**
 * The passes: what each decides, why no answer changes, a policy on which it fires, and on how many
 * plans of public policies it does. A pass that fires on none needs a workload that it speeds up.
 */

interface Pass {
  readonly name: string;
  /** From the root of the sources. */
  readonly file: string;
  readonly decides: string;
  readonly because: string;
  /** Its package is `p`, its entrypoint `p/allow`. */
  readonly policy: string;
  /** Whether our own planner ends these loops itself, so that it fires on the plans of others. */
  readonly isForeign?: true;
  /** How many of 2,332 plans of 17 public repositories, with one entrypoint each. */
  readonly plans: number;
}

export const passes = [
  {
    name: 'constants',
    file: 'ir-schema/constants.ts',
    decides: 'numbers and collections of constants are made with the program; rules that only return one are no calls',
    because: 'nothing mutates them in place',
    policy: 'allow if input.pair == ["a", 1]',
    plans: 1707,
  },
  {
    name: 'early exit',
    file: 'runtime/lowering/passes/early-exit.ts',
    decides: "a loop ends with the first round that assigns a block's one constant",
    because: 'later rounds could only assign the same; conflicts and errors of built-ins in them are not looked for',
    policy: 'allow if {\n\tsome role in input.roles\n\tstartswith(role, "admin")\n}',
    isForeign: true,
    plans: 1568,
  },
  {
    name: 'hoisted look-ups',
    file: 'runtime/lowering/passes/hoisted-lookups.ts',
    decides:
      'a path below a parameter is looked up once in a block, and before a loop that would look it up in each round',
    because: 'parameters that nothing writes keep their value; undefined is noticed only where it was read',
    policy: 'allow if {\n\tsome x in input.xs\n\tx < input.limit\n}',
    plans: 515,
  },
  {
    name: 'dispatch',
    file: 'runtime/lowering/passes/dispatch/dispatch.ts',
    decides:
      'of rules that begin by comparing the same part of the input with constants, or call a function that does, only those of its constant run; elements of arrays and objects are such parts',
    because: 'the others would end at the comparison and leave nothing that another block reads',
    policy: ['GET', 'PUT', 'POST', 'HEAD']
      .map((method) => `allow if {\n\tinput.method == "${method}"\n\tinput.${method}\n}\n`)
      .join('\n'),
    plans: 92,
  },
  {
    name: 'literal members',
    file: 'runtime/lowering/passes/literal-members.ts',
    decides:
      '`x in {a, b}`, with a set or an array of at most eight values that nothing else reads, compares `x` with each; nothing is made',
    because: 'the values are defined, as in a set, and keep their value; a set finds what is equal',
    policy: 'allow if input.kind in {"any", input.wanted}',
    plans: 53,
  },
  {
    name: 'indexed scans',
    file: 'runtime/lowering/passes/indexed-scan.ts',
    decides:
      'a loop that compares a value in its elements, before it does more than test them, with one that is the same in each round visits the elements that have it. The comparison may be in a loop over a part of the element, ask for a member of the part, ask whether a collection that is the same in each round has the value, or be in a function; a second one narrows the elements where 16 or more are found',
    because:
      'the others would be cut short, and do nothing before; calls that compute the value are made only where a round gets to them',
    policy: 'allow if {\n\tsome grant in data.grants\n\tgrant.user == input.user\n\tgrant.action == input.action\n}',
    plans: 779,
  },
  {
    name: 'distinct rounds',
    file: 'runtime/lowering/passes/distinct-rounds.ts',
    decides:
      'rounds with the same values at the paths they read as an earlier round are left out, if they are long: they have a loop inside, or make a collection of these values',
    because: 'such a round adds the same members, entries and results again; calls in it have no other effect',
    policy:
      'allow := {e.user: n |\n\tsome e in input.events\n\tn := count([1 | some other in input.logins; other == e.user])\n}',
    plans: 355,
  },
  {
    name: 'groups',
    file: 'runtime/lowering/passes/groups.ts',
    decides:
      'such a loop visits the first element of each value, where another loop of the plan looks for elements by the same path: both use one index',
    because: 'as for distinct rounds; elements without a scalar at the path are compared with each other',
    policy:
      'allow := {e.user: n |\n\tsome e in input.events\n\tuser := e.user\n\tn := count([1 | some other in input.events; other.user == user])\n}',
    plans: 401,
  },
  {
    name: 'any order',
    file: 'runtime/lowering/passes/any-order.ts',
    decides:
      'members of a set are not sorted for a loop that only looks for one that suffices, or only adds to sets, objects and arrays made for the loop that `count`, `sum`, `max` or `min` reads; such a loop starts again in order at the first value for which the order shows',
    because:
      'its rounds leave one constant at most, or values that are the same in any order (texts, whole numbers of a sum), and their calls are silent; where errors of built-ins are looked for, the order is kept',
    policy: 'names contains x if some x in input.names\n\nallow if {\n\tsome name in names\n\tstartswith(name, "a")\n}',
    plans: 632,
  },
  {
    name: 'first element',
    file: 'runtime/lowering/passes/first-element.ts',
    decides: 'the loop of a rule `xs := [x | …]` ends with the first element, where the policy reads `xs[0]` alone',
    because: 'its other rounds only append; it goes on where errors of built-ins are reported',
    policy:
      'routes := [route |\n\tsome route in data.routes\n\tglob.match(route.pattern, ["/"], input.path)\n]\n\nroute := routes[0]\n\nallow if route.public',
    plans: 0,
  },
  {
    name: 'quick functions',
    file: 'runtime/lowering/passes/quick-functions.ts',
    decides: 'results of short functions of one argument are not remembered',
    because: 'a function has the same result for the same argument in an evaluation; a look-up takes as long',
    policy: 'is_admin(user) if user.role == "admin"\n\nallow if is_admin(input.user)',
    plans: 826,
  },
  {
    name: 'data rules',
    file: 'runtime/lowering/passes/data-rules.ts',
    decides:
      'a rule that reads base documents alone, and has a loop or a long call, is computed once for these documents by generated code: its result outlasts the evaluation',
    because:
      'the same documents give the same result: it calls nothing but functions and built-ins of their operands alone, and goes with the documents; where errors of built-ins are looked for, or a `with` replaces documents, it is computed',
    policy: 'names contains user.name if some user in data.users\n\nallow if input.name in names',
    plans: 498,
  },
] as const satisfies readonly Pass[];

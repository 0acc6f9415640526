/**
 * Every warning: its code and its sentence. A policy with warnings is valid, and decides as it is
 * written; what is written is most often not what is meant. Each is a rule of the linter in the
 * category `writ`, and has a page in `docs/lint/writ`.
 */

export interface WarningRow<At> {
  /** The name in comments and configurations: that of the linter's rule in the category `writ`. */
  readonly code: string;
  /** The fault that the rule finds, for the list of rules. */
  readonly finds: string;
  readonly sentence: (at: At) => string;
  /** The cure, for a terminal. */
  readonly hint?: (at: At) => string | undefined;
  /** Whether a mistake is certain, so that the output for scripts tells it too. Default: it is. */
  readonly isCertain?: (at: At) => boolean;
  /** Whether the linter alone tells it: it depends on intent, or takes time to find. */
  readonly isOnlyLinted?: true;
}

function warning<At>(
  code: string,
  finds: string,
  sentence: (at: At) => string,
  more: Pick<WarningRow<At>, 'hint' | 'isCertain' | 'isOnlyLinted'> = {},
): WarningRow<At> {
  return { code, finds, sentence, ...more };
}

/** For what scripts of the reference are not told: their output has other words. */
const never = (): boolean => false;

const isMisspelt = ({ meant }: { readonly meant: string | undefined }): boolean => meant !== undefined;

/** A name that nothing has. */
export interface UnresolvedName {
  /** The path as far as it is constant: `data.authz.alow`. */
  readonly ref: string;
  /** The name that is meant. */
  readonly meant: string | undefined;
  /** A file that has it, and is not loaded. */
  readonly file: string | undefined;
}

interface UnresolvedRef extends UnresolvedName {
  /** Whether it stands under `not`, and in a test. */
  readonly isNegated?: boolean;
  readonly isInTest?: boolean;
  /** Whether it is the target of a `with`. */
  readonly isReplaced?: boolean;
  /** Whether it is a part of an input that a `with` gives. */
  readonly isInput?: boolean;
  /** The set that never has it, where it is a member of one. */
  readonly set?: string;
}

function nothingHas(what: string): (at: UnresolvedName) => string {
  return ({ ref, meant }) => `\`${ref}\`: no ${what} has this name${didYouMean(meant)}`;
}

function unresolvedText(at: UnresolvedRef): string {
  if (at.isInput) return `\`${at.ref}\`: no rule reads this part of the input${didYouMean(at.meant)}`;
  return at.set === undefined ? nothingHas('rule or document')(at) : notMade(at);
}

function notMade({ ref, set, meant }: UnresolvedRef): string {
  const other = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
  return `no rule of \`${set}\` makes ${ref}${other}`;
}

function nameHint({ meant, file }: UnresolvedName): string | undefined {
  if (file !== undefined) return `${file} has it, and is not among the files of the command`;
  return meant === undefined
    ? 'a document that is there at run time only is named under `known` in .writ.yaml'
    : undefined;
}

function refHint(at: UnresolvedRef): string | undefined {
  if (at.isReplaced) return 'nothing reads it: this `with` changes no decision';
  if (at.set !== undefined && !at.isNegated) return 'it is never a member';
  if (!at.isNegated || at.file !== undefined) return nameHint(at);
  return at.isInTest
    ? '`not` holds for what nothing has: the test passes whatever the policy says'
    : '`not` holds for what nothing has: this condition is always true';
}

function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean \`${meant}\`?`;
}

interface SingleUse {
  readonly name: string;
  /** The ref that it is a key of. */
  readonly ref: string;
  readonly meant: string | undefined;
}

interface LoneDefault {
  readonly name: string;
  readonly value: string;
  readonly isFunction: boolean;
  /** A rule of the package that is like it. */
  readonly meant: string | undefined;
}

/** A condition, and why it has always the same outcome. */
interface DecidedCondition {
  readonly text: string;
  /** Another condition that decides it. */
  readonly beside: string | undefined;
  /** The form or the type of its value, in words. */
  readonly because: string | undefined;
  /** The types of its sides, or of operands, which decide it. */
  readonly types?: string;
  /** A condition under `not` that never holds. */
  readonly isAlways?: boolean;
}

function decided(outcome: string): (at: DecidedCondition) => string {
  return ({ text, beside, because, types, isAlways }) => {
    let reason = '';
    if (types !== undefined) reason = `: ${types}`;
    else if (beside !== undefined) reason = ` beside \`${beside}\``;
    else if (because !== undefined) reason = `: its value ${because}`;
    return `\`${text}\` ${isAlways ? 'always' : outcome} holds${reason}`;
  };
}

/** Two definitions that hold together. */
interface RuleConflict {
  readonly name: string;
  readonly values: readonly [string, string];
  /** The line of the first one. */
  readonly row: number;
  /** An input, or arguments, for which both hold. */
  readonly given: string;
}

/** A search that goes through a document. */
interface UnindexedLoop {
  readonly document: string;
  readonly condition: string;
  /** The number of elements, if the document is there. */
  readonly size: number | undefined;
  /** Documents whose loops it stands in. */
  readonly around: readonly string[];
}

/** A pattern as it is written, and why it is none. */
interface InvalidPattern {
  readonly pattern: string;
  readonly fault: string;
}

export const warningTable = {
  unresolvedReference: warning<UnresolvedRef>('unresolved-reference', 'A ref that nothing has', unresolvedText, {
    hint: refHint,
    isCertain: (at) => (isMisspelt(at) && !at.isInput) || (at.isNegated === true && at.isInTest === true),
  }),
  unresolvedImport: warning('unresolved-import', 'An import of nothing', nothingHas('package, rule or document'), {
    hint: nameHint,
    isCertain: isMisspelt,
  }),
  /** A variable that nothing else mentions. */
  unusedOutputVariable: warning<SingleUse>(
    'unused-output-variable',
    'A key that is a variable and stands only once',
    ({ name, ref, meant }) =>
      `\`${name}\` is used only here: \`${ref}[${name}]\` is any member of \`${ref}\`${didYouMean(meant)}`,
    { hint: ({ ref }) => `if any member is meant, write \`${ref}[_]\``, isCertain: isMisspelt },
  ),
  emptyCollection: warning(
    'empty-collection',
    'A search in a collection that is always empty',
    ({ collection }: { collection: string }) => `\`${collection}\` is always empty: nothing is found in it`,
    {
      hint: () => '`count(x) == 0` asks whether x is empty; a collection to be filled in has a comment `# writ:ignore`',
    },
  ),
  loneDefault: warning<LoneDefault>(
    'lone-default',
    'A default of a name that no rule gives another value',
    ({ name, value, isFunction, meant }) =>
      `\`${name}\` has a default and no ${isFunction ? 'function' : 'rule'}: it is always ${value}${didYouMean(meant)}`,
    { hint: ({ name, value }) => `a constant is written \`${name} := ${value}\``, isCertain: isMisspelt },
  ),
  unresolvedEntrypoint: warning<{ readonly name: string; readonly meant: string | undefined }>(
    'unresolved-entrypoint',
    'An entrypoint that no rule is at',
    ({ name, meant }) => `the entrypoint \`${name}\` has no rule${didYouMean(meant)}`,
  ),
  misnamedTest: warning<{ readonly name: string; readonly meant: string }>(
    'misnamed-test',
    'A rule that looks like a test, and that `writ test` does not run',
    ({ name, meant }) => `\`${name}\` is no test, and nothing reads it; did you mean \`${meant}\`?`,
    { hint: () => 'the names of tests begin with `test_`' },
  ),
  impossibleCondition: warning<DecidedCondition>(
    'impossible-condition',
    'A condition that never holds beside others of its body, or for the type of its value',
    decided('never'),
    { hint: ({ isAlways }) => (isAlways ? 'it decides nothing' : 'a body with it never holds'), isCertain: never },
  ),
  impossibleNot: warning<{ readonly text: string; readonly set: string }>(
    'impossible-not',
    'A set under `not`, which never holds',
    ({ text, set }) => `\`${text}\` never holds: \`${set}\` is a set, which is defined also when it is empty`,
    { hint: ({ set }) => `write \`count(${set}) == 0\``, isCertain: never },
  ),
  setAsCondition: warning<{ readonly text: string; readonly set: string }>(
    'set-as-condition',
    'A set as a condition, which always holds',
    ({ text, set }) => `\`${text}\` always holds: \`${set}\` is a set, which is defined also when it is empty`,
    { hint: ({ set }) => `write \`count(${set}) > 0\``, isCertain: never },
  ),
  redundantCondition: warning<DecidedCondition>(
    'redundant-condition',
    'A condition that always holds beside others of its body, or for the type of its value',
    decided('always'),
    { isOnlyLinted: true },
  ),
  unreachableElse: warning<{ readonly row: number; readonly isAlways: boolean }>(
    'unreachable-else',
    'An `else` that is never reached',
    ({ row, isAlways }) =>
      isAlways
        ? `this \`else\` is never reached: the branch on line ${row} always holds`
        : `this \`else\` is never reached: whenever its conditions hold, those of line ${row} do`,
    { isCertain: never },
  ),
  unreachableDefault: warning<{ readonly name: string; readonly row: number }>(
    'unreachable-default',
    'A default of a rule that always has a value',
    ({ name, row }) => `the default of \`${name}\` is never reached: the rule on line ${row} always holds`,
    { isCertain: never },
  ),
  redundantDefault: warning<{ readonly name: string; readonly row: number }>(
    'redundant-default',
    'A default of a rule whose branches are all there are',
    ({ name, row }) => `the default of \`${name}\` is never reached: with line ${row} one branch holds in any case`,
    { isOnlyLinted: true },
  ),
  conflictingRules: warning<RuleConflict>(
    'conflicting-rules',
    'Complete rules that have two values for one input',
    ({ name, values: [first, second], row, given }) =>
      `\`${name}\` is ${first} on line ${row} and ${second} here for ${given}: the evaluation ends with an error`,
    { hint: () => 'join them by `else`, or make their conditions exclude each other', isOnlyLinted: true },
  ),
  vacuousTest: warning<{ readonly name: string }>(
    'vacuous-test',
    'A test that asserts nothing',
    ({ name }) => `\`${name}\` asserts nothing: it passes whatever the rules say`,
    {
      hint: () => 'an assignment holds for any value, and a set is true whatever is in it: compare them',
      isCertain: never,
    },
  ),
  constantTest: warning<{ readonly name: string }>(
    'constant-test',
    'A test that reads no rule',
    ({ name }) => `\`${name}\` reads no rule and no document: its outcome never changes`,
    { isOnlyLinted: true },
  ),
  impossiblePattern: warning<{ readonly pattern: string; readonly letters: 'small' | 'capital' | undefined }>(
    'impossible-pattern',
    'A regular expression or glob that no text matches',
    ({ pattern, letters }) => `${pattern} matches no text${letters === undefined ? '' : ` in ${letters} letters`}`,
    { isCertain: never },
  ),
  invalidRegex: warning<InvalidPattern>(
    'invalid-regexp',
    'A constant that is no regular expression',
    ({ pattern, fault }) => `${pattern} is no regular expression: ${fault}`,
    { hint: () => 'the call has no value, whatever the text', isCertain: never },
  ),
  invalidGlob: warning<InvalidPattern>(
    'invalid-glob',
    'A constant that is no glob',
    ({ pattern, fault }) => `${pattern} is no glob: ${fault}`,
    { hint: () => 'the call has no value, whatever the text', isCertain: never },
  ),
  timingUnsafe: warning<{ readonly text: string }>(
    'timing-unsafe-comparison',
    'A secret that is compared in a time that depends on it',
    ({ text }) => `\`${text}\` takes a time that depends on the secret`,
    { hint: () => '`crypto.hmac.equal(a, b)` takes the same time for all texts of a length', isOnlyLinted: true },
  ),
  openOnUndefined: warning<{ readonly name: string; readonly text: string }>(
    'open-on-undefined',
    'A permission that an empty input has, through `not`',
    ({ name, text }) => `\`${name}\` is true for an input that has nothing: \`${text}\` holds for what is undefined`,
    { hint: () => 'ask first for a value that must be there', isOnlyLinted: true },
  ),
  unusedRule: warning<{ readonly name: string; readonly hasEntrypoint: boolean }>(
    'unused-rule',
    'A rule that no entrypoint and no test reaches',
    ({ name, hasEntrypoint }) =>
      hasEntrypoint ? `no entrypoint and no test reaches \`${name}\`` : `nothing reads \`${name}\``,
    { isOnlyLinted: true, isCertain: never },
  ),
  unindexedLoop: warning<UnindexedLoop>(
    'unindexed-loop',
    'A search in a document that no index serves',
    ({ document, condition, size, around }) => {
      const elements = size === undefined ? 'the elements' : `all ${size} elements`;
      const times = around.length === 0 ? '' : `, again for each element of \`${around.join('` and of `')}\``;
      return `no index serves \`${condition}\`: ${elements} of \`${document}\` are looked at in turn${times}`;
    },
    { hint: () => 'compare with `==`, or store the values as keys', isOnlyLinted: true },
  ),
  changingDecision: warning<{ readonly name: string; readonly rule: string }>(
    'changing-cached-decision',
    'A built-in that answers otherwise next time, in a decision that is cached',
    ({ name, rule }) => `\`${name}\` answers otherwise next time, and \`${rule}\` is cached`,
    { isOnlyLinted: true },
  ),
  unknownField: warning<{ readonly name: string; readonly meant: string | undefined }>(
    'unknown-input-field',
    'A look-up of a field that the schema of the input lacks',
    ({ name, meant }) => `the schema of the input has no field \`${name}\` here${didYouMean(meant)}`,
    { hint: () => '`object.get` gives its default then', isCertain: never },
  ),
};

/** Codes of findings that depend on documents, and on other files of the project. */
export const codesOfNames: ReadonlySet<string> = new Set([
  'unresolved-reference',
  'unresolved-import',
  'lone-default',
  'unused-rule',
]);

type WarningTable = typeof warningTable;
export type WarningName = keyof WarningTable;
/** The holes of a warning's sentence. */
export type WarningHoles<Name extends WarningName> = Parameters<WarningTable[Name]['sentence']>[0];

/** The page that explains a code. */
export function pageOf(code: string): string {
  return `docs/lint/writ/${code}.md`;
}

/**
 * Every complaint of the compiler: its code and its sentence. A sentence's holes are typed, so a
 * report that forgets one does not compile.
 */

export type ComplaintCode =
  | 'rego_parse_error'
  | 'rego_compile_error'
  | 'rego_type_error'
  | 'rego_unsafe_var_error'
  | 'rego_recursion_error';

export interface Complaint<At> {
  readonly code: ComplaintCode;
  readonly sentence: (at: At) => string;
  /** The check that reports it leaves the modules as they are, so the later stages still run. */
  readonly isRecoverable?: boolean;
}

function complaint<At>(code: ComplaintCode, sentence: (at: At) => string): Complaint<At> {
  return { code, sentence };
}

type None = Record<never, never>;

const compile = <At = None>(sentence: (at: At) => string): Complaint<At> => complaint('rego_compile_error', sentence);
const recoverable = <At = None>(sentence: (at: At) => string): Complaint<At> => ({
  ...compile(sentence),
  isRecoverable: true,
});
const type = <At = None>(sentence: (at: At) => string): Complaint<At> => complaint('rego_type_error', sentence);
const parse = <At = None>(sentence: (at: At) => string): Complaint<At> => complaint('rego_parse_error', sentence);

interface UnsafeVar {
  readonly name: string;
  /** The rule, where its line has several. */
  readonly rule: string | undefined;
}

const isUnsafe = ({ name, rule }: UnsafeVar): string =>
  `var ${name} is unsafe${rule === undefined ? '' : ` in rule ${rule}`}`;

export const complaints = {
  /** From the lexer. */
  illegalToken: parse((at: { reason: string }) => at.reason),
  unexpectedToken: parse((at: { token: string; keyword: boolean; note?: string; hint?: string }) => {
    const note = at.note === undefined ? '' : `: ${at.note}`;
    const hint = at.hint === undefined ? '' : ` (hint: ${at.hint})`;
    return `unexpected ${at.token} ${at.keyword ? 'keyword' : 'token'}${note}${hint}`;
  }),
  nestedTooDeeply: parse(() => 'max parsing recursion depth exceeded'),
  statementTooLong: parse((at: { tokens: number }) => `statement has more than ${at.tokens} tokens`),
  pathTooLong: parse((at: { segments: number }) => `path has more than ${at.segments} segments`),
  statementTooFar: parse((at: { characters: number }) => `statement has more than ${at.characters} characters`),
  nonTerminatedExpression: parse(() => 'non-terminated expression'),
  emptyBody: parse(() => 'found empty body'),
  illegalRefHead: parse((at: { kind: string }) => `illegal ref (head cannot be ${at.kind})`),
  numberTooBig: parse(() => 'number too big'),
  invalidTemplatePart: parse((at: { what: string }) => `unexpected ${at.what} in template-string expression`),
  invalidTemplateExpression: parse(() => 'invalid template-string expression'),
  templateNotClosed: parse(() => 'expected } to end template string expression'),
  templatesUnsupported: parse(() => 'template strings are not supported by current capabilities'),

  emptyModule: parse(() => 'empty module'),
  packageExpected: parse(() => 'package expected'),
  unexpectedPackage: parse(() => 'unexpected package'),
  pathNeedsVar: parse((at: { kind: string }) => `unexpected ${at.kind} token: expecting var`),
  pathNeedsString: parse((at: { kind: string }) => `unexpected ${at.kind} token: expecting string`),
  importRoot: parse(
    (at: { root: string }) =>
      `unexpected import path, must begin with one of: {data, future, input, rego}, got: ${at.root} (hint: if this is unexpected, try updating OPA)`,
  ),
  importEndsWithKeyword: parse(
    (at: { name: string }) =>
      `unexpected import path, must not end with a keyword, got: ${at.name} (hint: import a different path or use an alias)`,
  ),
  futureImport: parse(() => 'invalid import, must be `future.keywords`'),
  futureImportAlias: parse(() => '`future` imports cannot be aliased'),
  futureKeyword: parse((at: { known: string }) => `unexpected keyword, must be one of [${at.known}]`),
  regoImport: parse((at: { path: string }) => `invalid import \`${at.path}\`, must be \`rego.v1\``),
  regoImportAlias: parse(() => '`rego` imports cannot be aliased'),
  regoImportUnsupported: parse(() => 'invalid import, `rego.v1` is not supported by current capabilities'),
  unknownFutureKeyword: parse((at: { name: string }) => `unknown future keyword: ${at.name}`),
  versionOneNeedsFeature: parse(() => 'illegal capabilities: rego_v1 feature required for parsing v1 Rego'),
  illegalCapabilities: parse((at: { name: string }) => `illegal capabilities: unknown keyword: ${at.name}`),

  ruleHead: parse((at: { reason: string }) => at.reason),
  defaultWithoutValue: parse(() => 'illegal default rule (must have a value)'),
  defaultValue: parse((at: { kind: string }) => `illegal default rule (value cannot contain ${at.kind})`),
  defaultArgument: parse((at: { kind: string }) => `illegal default rule (arguments cannot contain ${at.kind})`),
  defaultArgumentRepeated: parse(
    (at: { name: string }) => `illegal default rule (arguments cannot be repeated ${at.name})`,
  ),
  elseOnVariableHead: parse(() => 'else keyword cannot be used on rules with variables in head'),
  elseOnMultiValue: parse(() => 'else keyword cannot be used on multi-value rules'),
  elseExpected: parse(() => 'expected else keyword'),
  keywordAsRuleName: parse((at: { name: string }) => `${at.name} keyword cannot be used for rule name`),
  keywordAsName: parse((at: { name: string; what: string }) => `${at.name} keyword cannot be used for ${at.what} name`),
  ruleNeedsValueOrBody: parse(
    (at: { kind: string }) => `${at.kind} must have value assignment and/or body declaration`,
  ),
  ifRequired: parse((at: { kind: string }) => `\`if\` keyword is required before ${at.kind} body`),
  containsRequired: parse(() => '`contains` keyword is required for partial set rules'),

  withOnOperand: parse(
    (at: { operator: string }) =>
      `\`with\` modifier is not allowed on operand of \`${at.operator}\` (hint: wrap the operand in \`(...)\` or \`{...}\`, or move \`with\` behind the whole expression)`,
  ),
  groupNotClosed: parse(() => 'expected ) to close parenthesized group'),
  braceLedOperand: parse(
    (at: { operator: string }) => `operand of \`${at.operator}\` cannot begin with \`{\` unless the braces hold a body`,
  ),
  ambiguousUnion: parse(
    () =>
      'ambiguous `{ ... | ... }` operand: read as a body holding a set-union expression, not as a comprehension (hint: put it in `(...)`)',
  ),
  voidOperand: parse(
    (at: { operator: string; name: string }) =>
      `operand of \`${at.operator}\` cannot consist only of calls to \`${at.name}\``,
  ),

  annotation: parse((at: { reason: string }) => at.reason),
  annotationScope: parse(
    (at: { scope: string }) =>
      `invalid annotation scope '${at.scope}'. Use one of 'rule', 'document', 'package', or 'subpackages'`,
  ),
  annotationTarget: parse(
    (at: { scope: string; want: string; have: string | undefined }) =>
      `annotation scope '${at.scope}' must be applied to ${at.want}${at.have === undefined ? '' : ` (have ${at.have})`}`,
  ),
  annotationEntrypoint: parse(
    (at: { scope: string }) => `annotation entrypoint applied to non-document or package scope '${at.scope}'`,
  ),

  importUnused: recoverable((at: { statement: string }) => `${at.statement} unused`),
  importShadows: recoverable((at: { statement: string }) => `import must not shadow ${at.statement}`),
  versionOneUnsupported: compile(() => 'rego.v1 import is not supported'),
  argsShadow: compile((at: { name: string }) => `args must not shadow ${at.name} (use a different variable name)`),
  rulesShadow: recoverable((at: { name: string }) => `rules must not shadow ${at.name} (use a different rule name)`),
  variablesShadow: recoverable(
    (at: { name: string }) => `variables must not shadow ${at.name} (use a different variable name)`,
  ),
  refHeadsUnsupported: compile((at: { ref: string }) => `rule heads with refs are not supported: ${at.ref}`),
  generalRefHeadsUnsupported: type(
    (at: { ref: string }) => `rule heads with general refs (containing variables) are not supported: ${at.ref}`,
  ),

  referencedAbove: compile((at: { name: string }) => `var ${at.name} referenced above`),
  assignedAbove: compile((at: { name: string }) => `var ${at.name} assigned above`),
  declaredAbove: compile((at: { name: string }) => `var ${at.name} declared above`),
  argRedeclared: compile((at: { name: string }) => `arg ${at.name} redeclared`),
  cannotAssign: compile((at: { kind: string }) => `cannot assign to ${at.kind}`),
  assignNegated: compile(() => 'cannot assign vars inside negated expression'),
  assignedUnused: recoverable((at: { name: string }) => `assigned var ${at.name} unused`),
  declaredUnused: recoverable((at: { name: string }) => `declared var ${at.name} unused`),
  argumentUnused: recoverable(
    (at: { name: string }) => `unused argument ${at.name}. (hint: use _ (wildcard variable) instead)`,
  ),
  functionShadowed: compile((at: { name: string }) => `called function ${at.name} shadowed`),
  callInArguments: compile(() => 'rule arguments cannot contain calls'),

  templateStringsUnsupported: compile(() => 'template-strings are not supported'),
  templateExpression: compile((at: { kind: string }) => `unexpected \`${at.kind}\` expression in template-string`),
  templateRelation: compile(
    (at: { name: string }) => `illegal call to relation built-in '${at.name}' that may cause multiple outputs`,
  ),
  varUndeclared: compile((at: { name: string }) => `var ${at.name} is undeclared`),
  usedAsValue: type((at: { call: string }) => `${at.call} used as value`),

  annotationRedeclared: type(
    (at: { scope: string; other: string }) => `${at.scope} annotation redeclared: ${at.other}`,
  ),

  withPartOfVirtual: compile(() => 'with keyword cannot partially replace virtual document(s)'),
  withTarget: type(() => 'with keyword target must reference existing input, data, or a function'),
  withUnsafe: compile(
    (at: { name: string }) => `with keyword replacing built-in function: target must not be unsafe: "${at.name}"`,
  ),
  withInvalid: compile(
    (at: { name: string }) => `with keyword replacing built-in function: replacement of "${at.name}" invalid`,
  ),
  withInternal: compile(
    (at: { name: string }) =>
      `with keyword replacing built-in function: replacement of internal function "${at.name}" invalid`,
  ),
  withRelation: compile(() => 'with keyword replacing built-in function: target must not be a relation'),
  withVoid: compile(() => 'with keyword replacing built-in function: target must not be a void function'),

  ruleConflicts: type(
    (at: { name: string; others: readonly { rule: string; at: string }[] }) =>
      `rule ${at.name} conflicts with:${at.others.map((other) => `\n  rule ${other.rule} at ${other.at}`).join('')}`,
  ),
  conflictingRules: type((at: { name: string }) => `conflicting rules ${at.name} found`),
  multipleDefaults: type((at: { name: string; at: string }) => `multiple default rules ${at.name} found at ${at.at}`),
  packageConflicts: type(
    (at: { package: string; rule: string; at: string }) =>
      `${at.package} conflicts with rule ${at.rule} defined at ${at.at}`,
  ),
  dataConflicts: compile((at: { path: string }) => `conflicting rule for data path ${at.path} found`),
  recursion: complaint(
    'rego_recursion_error',
    (at: { name: string; path: readonly string[] }) => `rule ${at.name} is recursive: ${at.path.join(' -> ')}`,
  ),

  undefinedFunction: type((at: { name: string }) => `undefined function ${at.name}`),
  arity: type(
    (at: { name: string; want: number; have: number }) =>
      `function ${at.name} has arity ${at.want}, got ${at.have} argument${at.have === 1 ? '' : 's'}`,
  ),
  builtinArity: type((at: { name: string }) => `${at.name}: arity mismatch`),
  matchError: type(() => 'match error'),
  functionAsValue: type((at: { ref: string }) => `function ${at.ref} used as reference, not called`),
  undefinedRef: type((at: { ref: string }) => `undefined ref: ${at.ref}`),
  invalidArguments: type((at: { name: string }) => `${at.name}: invalid argument(s)`),
  tooManyArguments: type((at: { name: string }) => `${at.name}: too many arguments`),
  tooFewArguments: type((at: { name: string }) => `${at.name}: too few arguments`),
  schema: type((at: { reason: string }) => at.reason),
  unsafeBuiltin: type((at: { name: string }) => `unsafe built-in function calls in expression: ${at.name}`),
  deprecatedBuiltin: type((at: { name: string }) => `deprecated built-in function calls in expression: ${at.name}`),

  notInModule: type((at: { name: string; reason: string }) => `${at.name} cannot go into a module: ${at.reason}`),

  unsafeVar: complaint('rego_unsafe_var_error', isUnsafe),
  unsafeKeyword: complaint(
    'rego_unsafe_var_error',
    (at: UnsafeVar) => `${isUnsafe(at)} (hint: \`import future.keywords.${at.name}\` to import a future keyword)`,
  ),
  unsafeExpression: complaint('rego_unsafe_var_error', (_: None) => 'expression is unsafe'),

  emptyQuery: compile(() => 'empty query cannot be compiled'),
  compiledTooDeeply: compile(() => 'nested too deeply to be compiled'),

  errorLimit: complaint('rego_compile_error', (_: None) => 'error limit reached'),
};

type Complaints = typeof complaints;
export type ComplaintName = keyof Complaints;
/** The holes of a complaint's sentence. */
export type Holes<Name extends ComplaintName> = Parameters<Complaints[Name]['sentence']>[0];

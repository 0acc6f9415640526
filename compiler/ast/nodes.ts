/**
 * The syntax tree, as the language reference's parser leaves it: infix operators are calls,
 * wildcards have generated names, a rule without a body has the body `true`. Nodes are plain
 * read-only data and know their span. Arrays and objects keep the order of the text; the writers
 * of syntax trees (`ast-json.ts`, `print.ts`) sort sets and objects.
 */

import type { Span } from '../source/location.js';
import type { Source } from '../source/source.js';

/** The syntax a module is read with; `v0v1` is a v0 module that imports `rego.v1`. */
export type RegoVersion = 'v0' | 'v0v1' | 'v1';

export interface Module {
  readonly type: 'module';
  readonly source: Source;
  readonly regoVersion: RegoVersion;
  readonly package: Package;
  readonly imports: readonly Import[];
  readonly rules: readonly Rule[];
  readonly comments: readonly Comment[];
  /**
   * All metadata blocks in order of the text, those of rules too; empty unless annotations are
   * processed.
   */
  readonly annotations: readonly Annotations[];
}

/** `path` starts with the variable `data`; the rest are strings. */
export interface Package {
  readonly type: 'package';
  readonly loc: Span;
  readonly path: readonly [VarTerm, ...StringTerm[]];
}

/** `path` is a ref even if it is one variable (`import input`). */
export interface Import {
  readonly type: 'import';
  readonly loc: Span;
  readonly path: RefTerm;
  readonly alias: string | undefined;
}

/** `text` is the rest of the line after `#`. */
export interface Comment {
  readonly type: 'comment';
  readonly loc: Span;
  readonly text: string;
}

export interface Rule {
  readonly type: 'rule';
  readonly loc: Span;
  readonly default: boolean;
  readonly head: RuleHead;
  readonly body: Body;
  /** The body is not in the text (`p := 1`, `p contains 1`). */
  readonly generatedBody: boolean;
  readonly else: Rule | undefined;
  /**
   * The metadata blocks with scope `rule` just before the rule (and for the first rule of its name,
   * scope `document`).
   */
  readonly annotations: readonly Annotations[];
}

export interface RuleHead {
  readonly type: 'head';
  readonly loc: Span;
  /**
   * The first term's name for heads of one or two terms where the reference has one; empty for
   * longer refs.
   */
  readonly name: string;
  /** The head's path, at least one term: `a.b[x].c`. For a `contains` head, without the key. */
  readonly ref: Ref;
  /** A function's parameters; undefined where there are no parentheses or nothing in them. */
  readonly args: readonly Term[] | undefined;
  /** The member of a partial set; also `x` of `p[x] := y` (see `kind` in `heads.ts`). */
  readonly key: Term | undefined;
  /** A head without a value has a key. */
  readonly value: Term | undefined;
  /** Written with `:=`. */
  readonly assign: boolean;
  /** The value `true` is not in the text. */
  readonly generatedValue: boolean;
  /** Whether the keywords `if` and `contains` are in the text. */
  readonly hasIf: boolean;
  readonly hasContains: boolean;
}

/** At least one term. */
export type Ref = readonly [Term, ...Term[]];

/** At least one expression. */
export type Body = readonly Expr[];

/** A body as the parser reads it: its type says that it has an expression. */
export type WrittenBody = readonly [Expr, ...Expr[]];

interface ExprBase {
  readonly type: 'expr';
  readonly loc: Span;
  /** Under `not` (without `import future.keywords.not`, which makes a `not` expression instead). */
  readonly negated: boolean;
  /** CacheEntry by a rewriting. */
  readonly generated: boolean;
  readonly with: readonly With[];
}

/** A term that must be defined and not false. */
export interface TermExpr extends ExprBase {
  readonly kind: 'term';
  readonly term: Term;
}

/**
 * A call at the top of an expression: `f(x)`, `x == y`, `x := y` (operator `assign`), `x = y`
 * (operator `eq`).
 */
export interface CallExpr extends ExprBase {
  readonly kind: 'call';
  readonly operator: RefTerm;
  readonly args: readonly Term[];
}

/**
 * `some x, y`: variables; `some x in xs`: one call of `internal.member_2` or `internal.member_3`.
 */
export interface SomeExpr extends ExprBase {
  readonly kind: 'some';
  readonly symbols: readonly Term[];
}

export interface EveryExpr extends ExprBase {
  readonly kind: 'every';
  readonly key: VarTerm | undefined;
  readonly value: VarTerm;
  readonly domain: Term;
  readonly body: Body;
}

/**
 * `not x` or `not { … }` under `import future.keywords.not`; `explicit` where there are braces,
 * which make a scope.
 */
interface NotExpr extends ExprBase {
  readonly kind: 'not';
  readonly body: Body;
  readonly explicit: boolean;
}

/** The keywords `and` and `or`; an operand in braces is explicit and makes a scope. */
export interface LogicalExpr extends ExprBase {
  readonly kind: 'and' | 'or';
  readonly lhs: Body;
  readonly rhs: Body;
  readonly explicitLhs: boolean;
  readonly explicitRhs: boolean;
}

export type Expr = TermExpr | CallExpr | SomeExpr | EveryExpr | NotExpr | LogicalExpr;

/** `with target as value`; the target is a variable or a ref. */
export interface With {
  readonly type: 'with';
  readonly loc: Span;
  readonly target: Term;
  readonly value: Term;
}

interface NullTerm {
  readonly type: 'null';
  readonly loc: Span;
}

export interface BooleanTerm {
  readonly type: 'boolean';
  readonly loc: Span;
  readonly value: boolean;
}

/** `text` is the literal as written. */
export interface NumberTerm {
  readonly type: 'number';
  readonly loc: Span;
  readonly text: string;
}

export interface StringTerm {
  readonly type: 'string';
  readonly loc: Span;
  readonly value: string;
}

/** A wildcard's name is `$` and a number, unique in its module. */
export interface VarTerm {
  readonly type: 'var';
  readonly loc: Span;
  readonly name: string;
}

/**
 * `terms[0]` is the head: a variable, a call, a collection or a comprehension. `data` and `input`
 * alone are refs of one term.
 */
export interface RefTerm {
  readonly type: 'ref';
  readonly loc: Span;
  readonly terms: Ref;
}

export interface ArrayTerm {
  readonly type: 'array';
  readonly loc: Span;
  readonly items: readonly Term[];
}

export interface SetTerm {
  readonly type: 'set';
  readonly loc: Span;
  readonly items: readonly Term[];
}

export interface ObjectEntry {
  readonly key: Term;
  readonly value: Term;
}

/** An object; the last of several entries with equal keys counts. */
export interface ObjectTerm {
  readonly type: 'object';
  readonly loc: Span;
  readonly entries: readonly ObjectEntry[];
}

interface ArrayComprehension {
  readonly type: 'arraycomprehension';
  readonly loc: Span;
  readonly term: Term;
  readonly body: Body;
}

interface SetComprehension {
  readonly type: 'setcomprehension';
  readonly loc: Span;
  readonly term: Term;
  readonly body: Body;
}

interface ObjectComprehension {
  readonly type: 'objectcomprehension';
  readonly loc: Span;
  readonly key: Term;
  readonly value: Term;
  readonly body: Body;
}

/** A call inside a term. */
export interface CallTerm {
  readonly type: 'call';
  readonly loc: Span;
  readonly operator: RefTerm;
  readonly args: readonly Term[];
}

/**
 * `$"a {x}"`: text parts are string terms, scalar literals stand as terms, all else as expressions
 * (with their `with`).
 */
export interface TemplateString {
  readonly type: 'templatestring';
  readonly loc: Span;
  readonly parts: readonly (Term | Expr)[];
  /** Written with backquotes. */
  readonly multiLine: boolean;
}

export type ScalarTerm = NullTerm | BooleanTerm | NumberTerm | StringTerm;
export type Comprehension = ArrayComprehension | SetComprehension | ObjectComprehension;

export type Term =
  | ScalarTerm
  | VarTerm
  | RefTerm
  | ArrayTerm
  | SetTerm
  | ObjectTerm
  | Comprehension
  | CallTerm
  | TemplateString;

export type AnnotationScope = 'package' | 'subpackages' | 'document' | 'rule';

/** A `# METADATA` block. Fields that are not in the text are undefined or empty. */
export interface Annotations {
  readonly type: 'annotations';
  readonly loc: Span;
  readonly scope: AnnotationScope;
  /**
   * The path of the block's target: the package's path, or the package's path and the constant part
   * of the rule's ref.
   */
  readonly path: readonly Term[];
  /** The last row of the block. */
  readonly endRow: number;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly entrypoint: boolean;
  readonly organizations: readonly string[];
  readonly relatedResources: readonly RelatedResource[];
  readonly authors: readonly Author[];
  readonly schemas: readonly SchemaAnnotation[];
  readonly compile: CompileAnnotation | undefined;
  /** JSON values as YAML gives them. */
  readonly custom: Readonly<Record<string, unknown>>;
  readonly labels: Readonly<Record<string, unknown>>;
}

export interface RelatedResource {
  readonly ref: string;
  readonly description: string;
}

export interface Author {
  readonly name: string;
  readonly email: string;
}

/** `path` gets the type of a schema known by a ref (`schema.input`) or written out. */
export interface SchemaAnnotation {
  readonly path: RefTerm;
  readonly schema: RefTerm | undefined;
  readonly definition: unknown;
}

export interface CompileAnnotation {
  readonly unknowns: readonly RefTerm[];
  readonly maskRule: RefTerm | undefined;
}

export type Node = Module | Package | Import | Comment | Rule | RuleHead | Expr | With | Term | Annotations;

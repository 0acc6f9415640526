/**
 * The compiled plan (IR), as `plan.schema.json` describes it; a test compares the two. The names
 * of the fields are the format's own. docs/plan.md specifies each statement.
 */
export interface Policy {
  readonly static?: Static;
  readonly plans?: Plans;
  readonly funcs?: Funcs;
  readonly unplanned_rules?: readonly UnplannedRule[];
}

/** Tables that statements point into by index. */
export interface Static {
  readonly strings?: readonly StringConst[];
  readonly builtin_funcs?: readonly BuiltinFunc[];
  readonly files?: readonly StringConst[];
}

export interface StringConst {
  readonly value: string;
}

export interface BuiltinFunc {
  readonly name: string;
  /** The built-in's type, as capabilities.json has it; the format does not look into it. */
  readonly decl: object | null;
}

export interface Plans {
  readonly plans: readonly Plan[] | null;
}

/** The code of an entrypoint. */
export interface Plan {
  readonly name: string;
  readonly blocks: readonly Block[] | null;
}

export interface Funcs {
  readonly funcs: readonly Func[] | null;
}

export interface Func {
  readonly name: string;
  /** Where the rule stands in `data`, for calls whose path is known only when they run. */
  readonly path?: readonly string[];
  readonly params: readonly Local[] | null;
  readonly return: Local;
  readonly blocks: readonly Block[] | null;
}

/** A rule that the plan does without. */
export interface UnplannedRule {
  readonly path: string;
  readonly location: Location | null;
}

/** A range of the source: `file` is an index into `static.files`, the rest count from 1. */
export interface Location {
  readonly file: number;
  readonly row: number;
  readonly col: number;
  readonly end_row: number;
  readonly end_col: number;
}

export interface Block {
  readonly stmts: readonly Stmt[];
}

/** The number of a local variable of a plan or function. */
export type Local = number;

/** An index into `static.strings`. */
export type StringIndex = number;

export type Operand =
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'local'; readonly value: Local }
  | { readonly type: 'string_index'; readonly value: StringIndex };

interface ArrayAppendStmt extends Location {
  readonly array: Local;
  readonly value: Operand;
}

interface AssignIntStmt extends Location {
  readonly target: Local;
  readonly value: number;
}

interface AssignVarOnceStmt extends Location {
  readonly source: Operand;
  readonly target: Local;
}

interface AssignVarStmt extends Location {
  readonly source: Operand;
  readonly target: Local;
}

interface BlockStmt extends Location {
  readonly blocks: readonly Block[] | null;
}

interface BreakStmt extends Location {
  readonly index: number;
}

interface CallDynamicStmt extends Location {
  readonly args: readonly Local[] | null;
  readonly path: readonly Operand[] | null;
  readonly result: Local;
}

interface CallStmt extends Location {
  readonly args: readonly Operand[] | null;
  readonly func: string;
  readonly result: Local;
}

export interface DotStmt extends Location {
  readonly key: Operand;
  readonly source: Operand;
  readonly target: Local;
}

interface EqualStmt extends Location {
  readonly a: Operand;
  readonly b: Operand;
}

interface IsArrayStmt extends Location {
  readonly source: Operand;
}

interface IsDefinedStmt extends Location {
  readonly source: Local;
}

interface IsObjectStmt extends Location {
  readonly source: Operand;
}

interface IsSetStmt extends Location {
  readonly source: Operand;
}

interface IsUndefinedStmt extends Location {
  readonly source: Local;
}

interface LenStmt extends Location {
  readonly source: Operand;
  readonly target: Local;
}

interface MakeArrayStmt extends Location {
  readonly capacity: number;
  readonly target: Local;
}

interface MakeNullStmt extends Location {
  readonly target: Local;
}

interface MakeNumberIntStmt extends Location {
  readonly target: Local;
  readonly value: number;
}

interface MakeNumberRefStmt extends Location {
  readonly index: StringIndex;
  readonly target: Local;
  /** @deprecated The former name of `index`: written beside it, never read. */
  readonly Index?: StringIndex;
}

interface MakeObjectStmt extends Location {
  readonly target: Local;
}

interface MakeSetStmt extends Location {
  readonly target: Local;
}

interface NopStmt extends Location {}

interface NotEqualStmt extends Location {
  readonly a: Operand;
  readonly b: Operand;
}

interface NotStmt extends Location {
  readonly block: Block | null;
}

interface ObjectInsertOnceStmt extends Location {
  readonly key: Operand;
  readonly object: Local;
  readonly value: Operand;
}

interface ObjectInsertStmt extends Location {
  readonly key: Operand;
  readonly object: Local;
  readonly value: Operand;
}

interface ObjectMergeStmt extends Location {
  readonly a: Local;
  readonly b: Local;
  readonly target: Local;
}

interface ResetLocalStmt extends Location {
  readonly target: Local;
}

interface ResultSetAddStmt extends Location {
  readonly value: Local;
}

interface ReturnLocalStmt extends Location {
  readonly source: Local;
}

interface ScanStmt extends Location {
  readonly block: Block | null;
  readonly key: Local;
  readonly source: Local;
  readonly value: Local;
}

interface SetAddStmt extends Location {
  readonly set: Local;
  readonly value: Operand;
}

interface WithStmt extends Location {
  readonly block: Block | null;
  readonly local: Local;
  readonly path: readonly StringIndex[] | null;
  readonly value: Operand;
}

/** The statements by name. */
export interface Statements {
  readonly ArrayAppendStmt: ArrayAppendStmt;
  readonly AssignIntStmt: AssignIntStmt;
  readonly AssignVarOnceStmt: AssignVarOnceStmt;
  readonly AssignVarStmt: AssignVarStmt;
  readonly BlockStmt: BlockStmt;
  readonly BreakStmt: BreakStmt;
  readonly CallDynamicStmt: CallDynamicStmt;
  readonly CallStmt: CallStmt;
  readonly DotStmt: DotStmt;
  readonly EqualStmt: EqualStmt;
  readonly IsArrayStmt: IsArrayStmt;
  readonly IsDefinedStmt: IsDefinedStmt;
  readonly IsObjectStmt: IsObjectStmt;
  readonly IsSetStmt: IsSetStmt;
  readonly IsUndefinedStmt: IsUndefinedStmt;
  readonly LenStmt: LenStmt;
  readonly MakeArrayStmt: MakeArrayStmt;
  readonly MakeNullStmt: MakeNullStmt;
  readonly MakeNumberIntStmt: MakeNumberIntStmt;
  readonly MakeNumberRefStmt: MakeNumberRefStmt;
  readonly MakeObjectStmt: MakeObjectStmt;
  readonly MakeSetStmt: MakeSetStmt;
  readonly NopStmt: NopStmt;
  readonly NotEqualStmt: NotEqualStmt;
  readonly NotStmt: NotStmt;
  readonly ObjectInsertOnceStmt: ObjectInsertOnceStmt;
  readonly ObjectInsertStmt: ObjectInsertStmt;
  readonly ObjectMergeStmt: ObjectMergeStmt;
  readonly ResetLocalStmt: ResetLocalStmt;
  readonly ResultSetAddStmt: ResultSetAddStmt;
  readonly ReturnLocalStmt: ReturnLocalStmt;
  readonly ScanStmt: ScanStmt;
  readonly SetAddStmt: SetAddStmt;
  readonly WithStmt: WithStmt;
}

export type StmtType = keyof Statements;

/** A statement in its envelope; `switch (stmt.type)` narrows `stmt.stmt`. */
export type Stmt = { readonly [T in StmtType]: { readonly type: T; readonly stmt: Statements[T] } }[StmtType];

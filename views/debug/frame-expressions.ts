/** Expressions that are evaluated where a session stands: with the variables of a call. */

import type { Body, Compiled, CompiledQuery, Expr, Import, Package } from '../../compiler/index.js';
import {
  CompileErrors,
  callExpr,
  compileErrors,
  compileOrThrow,
  compileQuery,
  type Diagnostic,
  hintsOf,
  operatorRef,
  parseQuery,
  plan,
  type QueryReplacement,
  refTerm,
  stringTerm,
  varsOf,
  varTerm,
  walk,
} from '../../compiler/index.js';
import { captured, numbered, queryResults, solutionNumber } from '../../engine/index.js';
import type { MachineFrame } from '../../runtime/index.js';
import {
  AnswerRecord,
  assemble,
  Evaluation,
  EvaluationError,
  linkLoaded,
  loadLibraries,
  Suspension,
} from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import { any, arg, type Builtin, BuiltinError, builtin, HaltError, string, withRows } from '../../values/index.js';
import type { DebugProgram } from './debug-program.js';
import { solutionValue } from './programs.js';
import { DebugError, type EvaluatedExpression, UnboundNames } from './session.js';

/** The place where an expression is written, which gives its names a meaning. */
export interface ExpressionScope {
  /** The names of variables. */
  readonly names: readonly string[];
  /** The file whose package and imports it sees. */
  readonly file: string | undefined;
}

/** The values that an expression sees. */
export interface ExpressionValues {
  readonly input: Value | undefined;
  readonly data: Value | undefined;
  /** The calls around it, outermost first: a `with` may have replaced functions for them. */
  readonly calls: readonly MachineFrame[];
  variable(name: string): Value | undefined;
}

/** An expression that is evaluated again and again. */
export interface FrameExpression {
  evaluate(values: ExpressionValues): EvaluatedExpression;
  /** Whether it is neither undefined nor false. */
  holds(values: ExpressionValues): boolean;
}

type Run = (values: ExpressionValues, evaluation: Evaluation) => readonly Value[];

interface Runs {
  readonly value: Run;
  readonly holds: Run;
}

/** Milliseconds that one expression may take. */
const longest = 5000;

/** Compiled expressions that are kept: an editor asks for the values of names again and again. */
const mostKnown = 200;

const valueName = 'internal.debug_value';

/** While an expression is compiled, the variables of the call stand below this key of `data`. */
const localsKey = '#locals';

export class FrameExpressions {
  readonly #program: DebugProgram;
  #policies: Compiled | undefined;
  readonly #rows: ReadonlyMap<string, Builtin>;
  readonly #row: Builtin;
  readonly #known = new Map<string, FrameExpression>();
  #loading: Promise<unknown> = Promise.resolve();
  #values: ExpressionValues | undefined;

  constructor(program: DebugProgram) {
    this.#program = program;
    this.#policies = program.compiled;
    this.#row = builtin(valueName, [arg('name', string)], any, (name: string) => this.#values?.variable(name));
    this.#rows = withRows(program.builtins, [this.#row, solutionNumber]);
  }

  /** Nothing, for a plan without policies. */
  get #compiled(): Compiled {
    return (this.#policies ??= compileOrThrow({ modules: new Map(), options: { builtins: this.#program.builtins } }));
  }

  /** Resolves when the libraries are loaded that expressions call. */
  get loaded(): Promise<unknown> {
    return this.#loading;
  }

  /**
   * Throws a DebugError where the text is no expression. Before it is evaluated, await `loaded`.
   */
  prepare(text: string, scope: ExpressionScope): FrameExpression {
    const key = JSON.stringify([text, scope.file, scope.names]);
    const found = this.#known.get(key) ?? this.#compile(text, scope);
    // The one that was used last stands last.
    this.#known.delete(key);
    this.#known.set(key, found);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKnown) break;
      this.#known.delete(oldest);
    }
    return found;
  }

  #compile(text: string, scope: ExpressionScope): FrameExpression {
    try {
      const { pkg, imports } = this.#moduleOf(scope.file);
      const parsed = parseQuery(text, { regoVersion: 'v1' });
      const capture = captured(parsed, { compiled: this.#compiled, package: pkg, imports });
      const bound = this.#bindings(parsed, scope.names);
      const where = {
        ...(pkg && { package: pkg }),
        imports,
        options: { ...this.#compiled.options, strict: false },
      };
      const compile = (body: Body) => {
        const query = compileQuery(this.#compiled, [...bound, ...body], where);
        if (query.diagnostics.length > 0) throw compileErrors(query.diagnostics, hintsOf(this.#compiled));
        return withValues(query);
      };
      // First as it was written: an error then names nothing else.
      const tested = compile(parsed);
      const query = compile(capture.body);
      const planned = (replaced: readonly QueryReplacement[]): Runs => {
        const requests = [
          { name: 'value', query: numbered(query), replaced },
          { name: 'holds', query: tested, replaced },
        ];
        const policy = plan(this.#compiled, requests, { builtins: [solutionNumber, this.#row] });
        const called = (policy.static?.builtin_funcs ?? []).map(({ name }) => name);
        this.#loading = Promise.all([this.#loading, loadLibraries(called, this.#rows)]);
        const executable = linkLoaded(assemble(policy), this.#rows);
        const [value, holds] = [executable.entrypoints.get('value')!, executable.entrypoints.get('holds')!];
        const run = (index: number, { input, data }: ExpressionValues, evaluation: Evaluation) =>
          executable.run(index, input, data, evaluation);
        return { value: (...given) => run(value, ...given), holds: (...given) => run(holds, ...given) };
      };
      const plain = planned([]);
      const others = new Map<string, Runs>();
      const run = (kind: keyof Runs, values: ExpressionValues, failures?: string[]): readonly Value[] => {
        const around = replacedAround(values.calls, this.#program.environments);
        if (around === undefined) return this.#with(values, failures, (evaluation) => plain[kind](values, evaluation));
        let runs = others.get(around.key);
        if (runs === undefined) others.set(around.key, (runs = planned(around.replaced)));
        const made = runs;
        const given = {
          ...values,
          variable: (name: string) => (around.values.has(name) ? around.values.get(name) : values.variable(name)),
        };
        return this.#with(given, failures, (evaluation) => made[kind](given, evaluation));
      };
      return {
        evaluate: (values) => {
          const failures: string[] = [];
          try {
            const results = queryResults(run('value', values, failures), parsed, query, capture);
            const solutions = results.map(solutionValue);
            return {
              value: solutions[0],
              solutions,
              ...(solutions.length === 0 && failures.length > 0 && { failures }),
            };
          } catch (error) {
            return { value: undefined, solutions: [], error: toldError(error) };
          }
        },
        holds: (values) => {
          try {
            return run('holds', values).length > 0;
          } catch {
            return false;
          }
        },
      };
    } catch (error) {
      if (!(error instanceof CompileErrors)) throw error;
      const message = error.diagnostics.map(toldDiagnostic).join(', ');
      const names = error.diagnostics.flatMap((one) => unboundName(one) ?? []);
      const areAllNames = names.length === error.diagnostics.length;
      if (areAllNames && names.every((name) => this.#isNamed(name))) throw new UnboundNames(names, message);
      throw new DebugError('invalid_expression', message);
    }
  }

  /** Whether something in the policies has a name. */
  #isNamed(name: string): boolean {
    const { info, sources } = this.#program;
    if (!/^[A-Za-z_]\w*$/.test(name)) return false;
    if (info?.names.includes(name) === true) return true;
    const word = new RegExp(`\\b${name}\\b`);
    return sources.some(({ kind, text }) => kind === 'policy' && word.test(text));
  }

  /** @param failures gets the errors of built-ins that make calls undefined */
  #with<T>(values: ExpressionValues, failures: string[] | undefined, run: (evaluation: Evaluation) => T): T {
    const before = this.#values;
    this.#values = values;
    try {
      const onBuiltinError = failures && (({ message }: BuiltinError) => void failures.push(message));
      return run(new Evaluation(this.#program.context, { timeMs: longest, onBuiltinError }, new AnswerRecord()));
    } finally {
      this.#values = before;
    }
  }

  #moduleOf(file: string | undefined): { readonly pkg: Package | undefined; readonly imports: readonly Import[] } {
    for (const { parsed } of this.#compiled.modules.values()) {
      if (file !== undefined && parsed.package.loc.source.file === file)
        return { pkg: parsed.package, imports: parsed.imports };
    }
    return { pkg: undefined, imports: [] };
  }

  /** The variables of the call that the expression names and does not declare itself. */
  #bindings(body: Body, names: readonly string[]): readonly Expr[] {
    const declared = declaredIn(body);
    const used = varsOf(body);
    const { loc } = body[0]!;
    const wanted = names.filter((name) => used.has(name) && !declared.has(name));
    return wanted.map((name) => {
      const place = refTerm(loc, [varTerm(loc, 'data'), stringTerm(loc, localsKey), stringTerm(loc, name)]);
      return { ...callExpr(loc, operatorRef(loc, 'eq'), [varTerm(loc, name), place]), generated: true };
    });
  }
}

interface Replaced {
  /** Equal for the same replacements. */
  readonly key: string;
  readonly replaced: readonly QueryReplacement[];
  /** The values of parameters, by the names that `replaced` has. */
  readonly values: ReadonlyMap<string, Value | undefined>;
}

/** The replacements by `with` for some calls, outermost first; undefined for none. */
function replacedAround(
  calls: readonly MachineFrame[],
  environments: DebugProgram['environments'],
): Replaced | undefined {
  if (environments === undefined || environments.size === 0) return undefined;
  const replaced: QueryReplacement[] = [];
  const values = new Map<string, Value | undefined>();
  const names: string[] = [];
  for (const call of calls) {
    const { func } = call;
    const environment = func && environments.get(func.name);
    if (func === undefined || environment === undefined) continue;
    names.push(func.name);
    for (const { target, mock, id } of environment.replacements) {
      const parameter = environment.parameters.findIndex((one) => one.id === id);
      // The same replacement may have another value further out.
      const name = `#${names.length}.${id}`;
      if (parameter >= 0) values.set(name, call.get((func.params ?? [])[2 + parameter]!));
      replaced.push({ target, mock, ...(parameter >= 0 && { value: { builtin: valueName, name } }) });
    }
  }
  return names.length === 0 ? undefined : { key: JSON.stringify(names), replaced, values };
}

/** A compiled query in which the variables of the call come from the built-in. */
function withValues(query: CompiledQuery): CompiledQuery {
  const body = query.body.map((expr): Expr => {
    if (expr.kind !== 'call') return expr;
    const place = expr.args.find(
      (term) => term.type === 'ref' && term.terms[1]?.type === 'string' && term.terms[1].value === localsKey,
    );
    const target = expr.args.find((term) => term.type === 'var');
    const name = place?.type === 'ref' ? place.terms[2] : undefined;
    if (name === undefined || target === undefined) return expr;
    return { ...callExpr(expr.loc, operatorRef(expr.loc, valueName), [name, target]), generated: true };
  });
  return { ...query, body };
}

/** Names that the expression gives a value itself. */
function declaredIn(body: Body): ReadonlySet<string> {
  const names = new Set<string>();
  for (const expr of body) {
    walk(expr, (node) => {
      if (node.type !== 'expr') return;
      if (node.kind === 'some') {
        const targets = node.symbols.flatMap((symbol) =>
          symbol.type === 'call' ? symbol.args.slice(0, -1) : [symbol],
        );
        for (const name of varsOf(targets)) names.add(name);
      }
      const [target] = node.kind === 'call' ? node.args : [];
      const isAssigned =
        node.kind === 'call' && node.operator.terms[0]?.type === 'var' && node.operator.terms[0].name === 'assign';
      if (isAssigned && target !== undefined) for (const name of varsOf(target)) names.add(name);
    });
  }
  return names;
}

/** An error as those who asked see it. */
export function toldError(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof Suspension)
    return {
      code: 'eval_wait_error',
      message: `${error.builtin} cannot be called here: its answer must be waited for`,
    };
  if (error instanceof EvaluationError) return { code: error.code, message: error.detail };
  if (error instanceof HaltError || error instanceof BuiltinError) return { code: error.code, message: error.message };
  return { code: 'internal_error', message: error instanceof Error ? error.message : String(error) };
}

/** The variable that an error of the compiler says has no value. */
function unboundName({ name, holes }: Diagnostic): string | undefined {
  return name === 'unsafeVar' ? (holes as { readonly name: string }).name : undefined;
}

/** A variable without a value is one that the place does not have. */
function toldDiagnostic(diagnostic: Diagnostic): string {
  const name = unboundName(diagnostic);
  return name === undefined ? diagnostic.message : `there is no variable ${name} here`;
}

/** Names in a text that may be variables: neither `b` of `a.b` nor the first word of a string. */
export function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/(?<![\w."])[A-Za-z_]\w*/g));
}

/** Numbered locals in an expression. */
export function numberedLocals(text: string): readonly string[] {
  return text.match(/\bl\d{1,9}\b/g) ?? [];
}

export function localNumber(name: string): number | undefined {
  const [, digits] = /^l(\d{1,9})$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

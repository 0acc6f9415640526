/** The time of a plan by line of the source that its statements name. */
import { fileNames, type Policy, type Stmt } from '../../ir-schema/index.js';
import type { StatementObserver } from '../../runtime/index.js';
import { type ExpressionProfile, sortedProfile } from './profile.js';

/** The statements at one place, which are those of an expression. */
interface PlannedExpression {
  /** The statement that is evaluated first: each of its evaluations is one of the expression. */
  readonly first: Stmt;
  /** The statement that was reached last: where it passes, the expression is true. */
  last: Stmt;
  evaluations: number;
}

interface Line {
  /** The plan's name, for statements that no source has. */
  readonly text: string;
  readonly location: ExpressionProfile['location'];
  readonly expressions: Map<number, PlannedExpression>;
  time: number;
}

export class PlanProfile implements StatementObserver {
  readonly #lines = new Map<string, Line>();
  readonly #passes = new Map<Stmt, number>();
  #files: readonly string[] = [];
  #name = '';
  #current: Line | undefined;
  #since = 0;

  /** The plan that the statements after this belong to. */
  begin(policy: Policy, name: string): void {
    this.#files = fileNames(policy);
    this.#name = name;
  }

  before(stmt: Stmt): void {
    const now = performance.now();
    if (this.#current !== undefined) this.#current.time += now - this.#since;
    this.#since = now;
    const { file, row, col } = stmt.stmt;
    const name = this.#files[file];
    if (name === undefined) {
      this.#current = undefined;
      return;
    }
    const key = `${row}:${name}`;
    let line = this.#lines.get(key);
    if (line === undefined)
      this.#lines.set(
        key,
        (line = { text: this.#name, location: { file: name, row, col }, expressions: new Map(), time: 0 }),
      );
    this.#current = line;
    const known = line.expressions.get(col);
    if (known === undefined) line.expressions.set(col, { first: stmt, last: stmt, evaluations: 1 });
    else if (known.first === stmt) known.evaluations++;
    else if (!this.#passes.has(stmt)) known.last = stmt;
    if (!this.#passes.has(stmt)) this.#passes.set(stmt, 0);
  }

  passed(stmt: Stmt): void {
    const passes = this.#passes.get(stmt);
    if (passes !== undefined) this.#passes.set(stmt, passes + 1);
  }

  /** The lines, sorted by several criteria in turn; at most `limit`, or all for 0. */
  report(sort: readonly string[], limit: number): readonly ExpressionProfile[] {
    if (this.#current !== undefined) this.#current.time += performance.now() - this.#since;
    this.#current = undefined;
    const lines = [...this.#lines.values()].map(({ location, expressions, time, text }): ExpressionProfile => {
      const all = [...expressions.values()];
      return {
        location,
        total_time_ns: Math.round(time * 1e6),
        num_eval: all.reduce((sum, { evaluations }) => sum + evaluations, 0),
        num_redo: all.reduce((sum, { last }) => sum + this.#passes.get(last)!, 0),
        num_gen_expr: all.length,
        text,
      };
    });
    return sortedProfile(lines, sort, limit);
  }
}

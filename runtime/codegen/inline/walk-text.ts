/** The JavaScript of statements around a walk whose pairs are not made, see `walks.ts`. */
import type { LoweredStmt } from '../../lowering/lowered.js';
import type { CodeWriter } from '../writer.js';
import type { WalkLoop } from './walks.js';

/** The variables of such a loop. */
const walkOfLoop = ({ call }: WalkLoop, w: CodeWriter) => `r${w.number(call.result)}`;
const positionOf = ({ call }: WalkLoop, w: CodeWriter) => `j${w.number(call.result)}`;

/**
 * Writes a statement of such a loop; false for others. The register of the call has the walk, the
 * variable beside it the position of the round.
 * @param failure is written behind the call, which may be undefined
 */
export function writeWalk(stmt: LoweredStmt, failure: string, w: CodeWriter): boolean {
  const loop = w.walks?.of(stmt);
  if (loop === undefined) return false;
  const { call, scan, path } = loop;
  const [walk, position] = [walkOfLoop(loop, w), positionOf(loop, w)];
  switch (stmt.kind) {
    case 'isArray':
      return true;
    case 'len':
      w.line(`${w.register(stmt.target)} = 2;`);
      return true;
    case 'dot':
      if (stmt === path) {
        w.line(`r${w.number(stmt.target)} = undefined;`);
        w.lazy.set(stmt.target, `(${w.register(stmt.target)} ??= ${walk}.pathAt(${position}))`);
      } else if (stmt.source === scan.value) w.line(`${w.register(stmt.target)} = ${walk}.values[${position}];`);
      else {
        w.at(stmt.origin);
        w.cutIf([
          ...w.undefinedOf(stmt.key),
          `(t = ${walk}.partAt(${position}, ${w.operand(stmt.key)})) === undefined`,
        ]);
        w.line(`${w.register(stmt.target)} = t;`);
      }
      return true;
    case 'builtin':
      w.at(stmt.origin);
      if (stmt === call) {
        w.cutIf(w.undefinedOf(...stmt.args));
        w.line(`t = ${w.use('listedWalk')}(${w.operand(stmt.args[0]!)}, x.evaluation); ${failure}`);
        w.line(`${w.register(stmt.result)} = t;`);
      } else w.line(`${w.register(stmt.result)} = ${walk}.depthAt(${position});`);
      return true;
    default:
      return false;
  }
}

/** The head of a round of such a loop: the position, which is the key of its pair. */
export function walkRound(loop: WalkLoop, position: string, w: CodeWriter): string {
  const own = positionOf(loop, w);
  w.declare(own);
  return `${w.register(loop.scan.key)} = ${own} = ${position};`;
}

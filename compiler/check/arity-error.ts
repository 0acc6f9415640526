/**
 * The complaint about a call with too few or too many operands, of a function whose type is known.
 */

import type { CallExpr } from '../ast/nodes.js';
import type { Diagnostic } from '../diagnostics/diagnostics.js';
import type { Context } from '../resolve/working-module.js';
import type { Types } from './rule-types.js';
import { argumentError } from './typing/details.js';
import { Globals, TypeScope } from './typing/env.js';

/** A body's context, with the types of rules if they have been checked: for queries. */
interface CallContext extends Context {
  readonly ruleTypes?: Types | undefined;
}

/**
 * Undefined for a function of which only the number of parameters is known, as that of a policy
 * whose types are not checked yet.
 */
export function arityError(
  { operator, args, loc }: CallExpr,
  name: string,
  context: CallContext,
): Diagnostic | undefined {
  const { ruleTypes } = context;
  const globals = ruleTypes?.globals ?? new Globals(context.builtins);
  const scope = new TypeScope(globals, () => undefined);
  const type = globals.function(operator) ?? scope.typeOfRef(operator);
  if (type?.kind !== 'function') return undefined;
  const have = args.map((arg) => scope.typeOf(arg));
  return argumentError('builtinArity', loc, { name, have, want: type, withResult: false }).diagnostic;
}

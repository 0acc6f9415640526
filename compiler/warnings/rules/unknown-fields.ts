/** Look-ups by `object.get` of fields of the input that its schema lacks: they give the default. */

import type { Body, Term } from '../../ast/nodes.js';
import { jsonOfTerm } from '../../check/typing/constant-terms.js';
import type { TypeScope } from '../../check/typing/env.js';
import { knownKeys, selectType } from '../../check/typing/select.js';
import { isEmpty, type Type } from '../../check/typing/type.js';
import type { Warnings } from '../../diagnostics/warnings.js';
import { closest } from '../../hints/closest.js';
import { builtinName } from '../../resolve/builtin-table.js';

/** Reports the look-ups of a body that is not inside of others. */
export function findUnknownFields(
  body: Body,
  keys: ReadonlyMap<string, string>,
  scope: () => TypeScope | undefined,
  warnings: Warnings,
): void {
  for (const expr of body) {
    if (expr.kind !== 'call' || expr.with.length > 0 || builtinName(expr.operator.terms) !== 'object.get') continue;
    const [object, key] = expr.args;
    const path = key && pathOf(key);
    if (object?.type !== 'var' || path === undefined || !keys.get(object.name)?.startsWith('input')) continue;
    let type = scope()?.typeOf(object);
    for (const { name, term } of path) {
      if (!isKnown(type)) break;
      const next: Type | undefined = selectType(type, name);
      if (next === undefined) {
        const meant = closest(
          name,
          knownKeys(type).filter((other) => typeof other === 'string'),
        );
        warnings.report('unknownField', term.loc, { name, meant });
        break;
      }
      type = next;
    }
  }
}

/** An object of which all fields are known. */
function isKnown(type: Type | undefined): boolean {
  return type?.kind === 'object' && type.rest === undefined && type.fixed.length > 0 && !isEmpty(type);
}

function pathOf(key: Term): readonly { readonly name: string; readonly term: Term }[] | undefined {
  const terms = key.type === 'array' ? key.items : [key];
  const path = terms.map((term) => ({ name: jsonOfTerm(term), term }));
  return path.every((part): part is { name: string; term: Term } => typeof part.name === 'string') ? path : undefined;
}

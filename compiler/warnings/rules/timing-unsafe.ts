/** Secrets that are compared in a time that depends on them. */

import type { Steps } from '../../../values/index.js';
import type { Body, Expr, Node, Term } from '../../ast/nodes.js';
import { walk } from '../../ast/walk.js';
import { isTestHead } from '../../check/test-heads.js';
import { isConstant } from '../../check/typing/constant-terms.js';
import type { Warnings } from '../../diagnostics/warnings.js';
import type { Compiled } from '../../resolve/compiled.js';
import type { CompiledModule } from '../../resolve/compiled-rule.js';
import { conditionsOf } from '../conditions/conditions.js';
import type { WarningSearch } from '../warning-search.js';

/** Names of values that others must not guess; those of fields are in snake or camel case. */
const secretName =
  /^(?:\w+_)?(?:secret|password|passwd|passphrase|api_?key|access_?key|private_?key|shared_?key|hmac|signature|token)$/i;

/** Constants that are shorter are hardly secrets. */
const shortest = 8;

export function* findTimingUnsafe({ compiled, warnings }: WarningSearch): Steps {
  if (compiled.builtins.get('crypto.hmac.equal') === undefined) return;
  for (const module of compiled.modules.values()) {
    if (!/secret|pass|key|hmac|signature|token/i.test(module.parsed.source.text)) continue;
    for (const { rule } of module.rules) {
      if (isTestHead(rule.head)) continue;
      const keys = new Map<string, string>();
      walk(rule, (node) => {
        if (node.type === 'rule') addKeys(node.body, keys, compiled);
        else if (node.type === 'expr') checkExpr(node, keys, module, warnings);
      });
    }
    yield;
  }
}

function addKeys(body: Body, keys: Map<string, string>, { builtins }: Compiled): void {
  for (const [name, key] of conditionsOf(body, builtins).keys) keys.set(name, key);
}

function checkExpr(expr: Expr, keys: ReadonlyMap<string, string>, module: CompiledModule, warnings: Warnings): void {
  if (expr.kind !== 'call' || expr.generated || expr.args.length !== 2 || expr.with.length > 0) return;
  // An assignment, and a unification, may give a variable its value.
  const { text } = expr.operator.loc;
  if (text !== '==' && text !== '!=') return;
  const [a, b] = expr.args as [Term, Term];
  const [left, right] = [a, b].map((term) => sideOf(term, keys, module)) as [Side, Side];
  const isHmac = left.isHmac || right.isHmac;
  const isSecret = (left.isSecret || right.isSecret) && left.mayBeSecret && right.mayBeSecret;
  if (!isHmac && (!isSecret || (left.isOfInput && right.isOfInput))) return;
  warnings.report('timingUnsafe', expr.loc, { text: expr.loc.text.replace(/\s+/g, ' ') });
}

/** A side of a comparison. */
interface Side {
  readonly isHmac: boolean;
  readonly isSecret: boolean;
  /** Whether its value may be that of a secret. */
  readonly mayBeSecret: boolean;
  readonly isOfInput: boolean;
}

function sideOf(term: Term, keys: ReadonlyMap<string, string>, { names }: CompiledModule): Side {
  if (isConstant(term)) {
    const mayBeSecret = term.type === 'string' && term.value.length >= shortest;
    return { isHmac: false, isSecret: false, mayBeSecret, isOfInput: false };
  }
  const key = term.type === 'var' ? (keys.get(term.name) ?? '') : '';
  const written = term.type === 'var' ? (names.get(term.name) ?? '') : '';
  const path = key === '' ? refText(term) : key;
  const isCall = /^[\w.]+\(/.test(path);
  const last = isCall ? '' : (/\["(\w+)"\]$/.exec(path)?.[1] ?? '');
  return {
    isHmac: path.startsWith('crypto.hmac.') && !path.startsWith('crypto.hmac.equal'),
    isSecret: secretName.test(last) || secretName.test(written),
    mayBeSecret: !isCall,
    isOfInput: path.startsWith('input'),
  };
}

/** A ref as keys have it. */
function refText(term: Node): string {
  if (term.type !== 'ref') return '';
  const [head, ...keys] = term.terms;
  return `${head.loc.text}${keys.map((key) => (key.type === 'string' ? `["${key.value}"]` : '[]')).join('')}`;
}

/** Built-ins that cannot go into a module. */

import type { Compiled, CompiledRule } from '../../compiler/index.js';
import { builtinName, type Diagnostic, diagnose, walk as walkTree } from '../../compiler/index.js';
import { type Policy, walkStatements } from '../../ir-schema/index.js';
import { builtins } from '../../values/index.js';

const keys = 'it needs cryptographic keys';

const reasons: ReadonlyMap<string, string> = new Map([
  ['http.send', 'it sends requests'],
  ['net.lookup_ip_addr', 'it looks up host names'],
  ['rego.parse_module', "it needs the language's parser"],
  ...[
    'crypto.parse_private_keys',
    'crypto.x509.parse_and_verify_certificates',
    'crypto.x509.parse_and_verify_certificates_with_options',
    'crypto.x509.parse_keypair',
    'crypto.x509.parse_rsa_private_key',
    'io.jwt.decode_verify',
    'io.jwt.encode_sign',
    'io.jwt.encode_sign_raw',
    ...['rs256', 'rs384', 'rs512', 'ps256', 'ps384', 'ps512', 'es256', 'es384', 'es512', 'eddsa'].map(
      (name) => `io.jwt.verify_${name}`,
    ),
  ].map((name) => [name, keys] as const),
]);

/** Why a built-in cannot go into a module; undefined where it can. */
function refusalOf(name: string): string | undefined {
  return reasons.get(name) ?? (builtins.has(name) ? undefined : 'writ has no implementation of it');
}

/** A complaint for each call of such a built-in, in the order of their places. */
export function refusedCalls(policy: Policy): readonly Diagnostic[] {
  const declared = new Set((policy.static?.builtin_funcs ?? []).map(({ name }) => name));
  const files = policy.static?.files ?? [];
  const found = new Map<string, Diagnostic>();
  walkStatements(policy, ({ type, stmt }) => {
    if (type !== 'CallStmt' || !declared.has(stmt.func)) return;
    const reason = refusalOf(stmt.func);
    if (reason === undefined) return;
    const { file, row, col } = stmt;
    const location = { file: files[file]?.value ?? '', row, col };
    found.set(`${location.file}:${row}:${col}`, {
      ...diagnose('notInModule', undefined, { name: stmt.func, reason }),
      location,
    });
  });
  return [...found.values()].sort(
    (a, b) =>
      order(a.location!.file, b.location!.file) ||
      a.location!.row - b.location!.row ||
      a.location!.col - b.location!.col,
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The rules that call such a built-in, themselves or by others, each with a complaint. */
export function refusedRules(compiled: Compiled): ReadonlyMap<CompiledRule, Diagnostic> {
  const rules = [...compiled.modules].flatMap(([, module]) => module.rules);
  const refused = new Map<CompiledRule, Diagnostic>();
  for (const rule of rules) {
    const complaint = complaintAbout(rule);
    if (complaint !== undefined) refused.set(rule, complaint);
  }
  if (refused.size === 0) return refused;
  const readers = new Map<CompiledRule, CompiledRule[]>();
  for (const rule of rules) {
    for (const read of compiled.graph.dependencies(rule)) {
      const known = readers.get(read);
      if (known === undefined) readers.set(read, [rule]);
      else known.push(rule);
    }
  }
  // A map is iterated over entries that are added meanwhile.
  for (const [rule, complaint] of refused)
    for (const reader of readers.get(rule) ?? []) if (!refused.has(reader)) refused.set(reader, complaint);
  return refused;
}

function complaintAbout({ rule }: CompiledRule): Diagnostic | undefined {
  let found: Diagnostic | undefined;
  walkTree(rule, (node) => {
    if (found !== undefined || node.type !== 'expr' || node.kind !== 'call') return;
    const name = builtinName(node.operator.terms);
    const reason = name === undefined ? undefined : refusalOf(name);
    if (name !== undefined && reason !== undefined) found = diagnose('notInModule', node.loc, { name, reason });
  });
  return found;
}

/** Questions to the solver in SMT-LIB, and what it says. */
import { definitionsOf, type Formula } from './formulas.js';
import { type ModelNames, operandFormulas } from './lemmas.js';
import type { Model } from './model.js';
import type { SymbolicSettings } from './symbolic-value.js';

/**
 * Answers a question in SMT-LIB as a solver prints it.
 * @param ms after which it must have ended
 */
export type Solve = (question: string, ms: number) => Promise<string>;

interface SolverQuestion {
  readonly text: string;
  readonly names: ModelNames;
}

/** Asks for a model of a formula that is none of the excluded ones. */
export function questionFor(
  settings: SymbolicSettings,
  formula: Formula,
  excluded: readonly string[],
  ms: number,
): SolverQuestion {
  const terms = operandFormulas(settings);
  const { definitions, nameOf } = definitionsOf([formula, ...terms.guards]);
  const lines = [...settings.input.axioms(), ...definitions];
  const names = new Map<string, string>();
  for (const [i, { type, term }] of terms.terms.entries()) {
    lines.push(`(define-fun t${i} () ${type === 'number' ? 'Real' : 'String'} ${term})`);
    names.set(term, `t${i}`);
  }
  lines.push(`(assert ${nameOf(formula)})`, ...excluded);
  const asked = [...settings.input.variables(), ...names.values(), ...terms.guards.map(nameOf)].filter(
    (name) => !name.startsWith('('),
  );
  const atoms = terms.guards.map(nameOf).filter((name) => name.startsWith('('));
  for (const [i, atom] of atoms.entries()) lines.push(`(define-fun g${i} () Bool ${atom})`);
  const wanted = [...new Set([...asked, ...atoms.map((_, i) => `g${i}`)])].join(' ');
  const text = `(set-option :timeout ${ms})\n${lines.join('\n')}\n(check-sat)\n(get-value (${wanted}))\n`;
  const guardName = (guard: Formula) => {
    const name = nameOf(guard);
    return name.startsWith('(') ? `g${atoms.indexOf(name)}` : name;
  };
  return { text, names: { guardName, termName: (term: string) => names.get(term) } };
}

/** Excludes the inputs whose parts have the kinds of a model. */
export function exclusionOf({ input }: SymbolicSettings, model: Model): string {
  const kinds = input.parts.map(({ id }) => `(= k${id} ${model.get(`k${id}`) ?? 0})`);
  return `(assert (not (and ${kinds.join(' ')})))`;
}

/** The solver keeps to its own time limit; it is ended so much later. */
export const graceMs = 3000;

/** Why there is no answer. */
export function reasonOf(said: string, ms: number): string {
  const [first = ''] = said.split('\n');
  if (first === 'unknown' || first === 'timeout' || first === '') return `the solver gives up, after at most ${ms} ms`;
  return `the solver fails: ${first}`;
}

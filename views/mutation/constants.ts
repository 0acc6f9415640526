/** Constants and their neighbours. */
import type { BooleanTerm, NumberTerm, StringTerm } from '../../compiler/index.js';

/** The texts that a constant becomes; none for texts that people read. */
export function constantsNear(term: BooleanTerm | NumberTerm | StringTerm): readonly string[] {
  const { text } = term.loc;
  if (term.type === 'boolean') return text === 'true' ? ['false'] : text === 'false' ? ['true'] : [];
  if (term.type === 'number') return numbersNear(text);
  if (!/^["`]/.test(text) || /\s/.test(term.value)) return [];
  return [term.value === '' ? '"?"' : '""'];
}

function numbersNear(text: string): readonly string[] {
  if (!/^-?\d+$/.test(text))
    return /^-?\d+\.\d+$/.test(text) ? [String(Number(text) + 1), String(Number(text) - 1)] : [];
  const number = BigInt(text);
  return [String(number + 1n), String(number - 1n)];
}

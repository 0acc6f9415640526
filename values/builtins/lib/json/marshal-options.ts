/** The options of `json.marshal_with_options`. */
import { sortedEntries } from '../../../compare.js';
import { termText } from '../../../text/term-text.js';
import { type ObjectValue, typeName, type Value } from '../../../value.js';
import { operandError } from '../../builtin-errors.js';

interface MarshalOptions {
  readonly pretty: boolean;
  readonly indent: string;
  readonly prefix: string;
}

/** A prefix or an indent implies a pretty layout, unless `pretty` is given. */
export function marshalOptions(options: ObjectValue): MarshalOptions {
  let pretty: boolean | undefined;
  let implied = false;
  const layout = { indent: '\t', prefix: '' };
  let index = 0;
  for (const [key, value] of sortedEntries(options)) {
    if (typeof key !== 'string') {
      throw operandError(2, `failed to stringify key ${termText(key)} at index ${index}: ${notString(key, index)}`);
    }
    if (key === 'prefix' || key === 'indent') {
      if (typeof value !== 'string')
        throw operandError(2, `key ${termText(key)} failed cast to string: ${notString(value, index)}`);
      layout[key] = value;
      implied = true;
    } else if (key === 'pretty') {
      if (typeof value !== 'boolean') throw operandError(2, `key ${termText(key)} failed cast to bool`);
      pretty = value;
    } else throw operandError(2, `object contained unknown key ${termText(key)}`);
    index++;
  }
  return { pretty: pretty ?? implied, ...layout };
}

function notString(value: Value, position: number): string {
  return `operand ${position} must be string but got ${typeName(value)}`;
}

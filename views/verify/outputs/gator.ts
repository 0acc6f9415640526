/** Results of Gatekeeper's constraints in the words of `gator test`: a line for each violation. */
import type { CheckResult } from '../results.js';

export function resultsGator(results: readonly CheckResult[]): string {
  return results
    .flatMap(({ failures, warnings, filename, namespace }) =>
      [...failures, ...warnings].map(({ msg, subject }) => {
        const name = namespace.slice(namespace.lastIndexOf('/') + 1);
        return `${subject ?? filename}: [${JSON.stringify(name)}] Message: ${JSON.stringify(msg)}\n`;
      }),
    )
    .join('');
}

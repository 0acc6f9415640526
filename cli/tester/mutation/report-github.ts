/** Survivors as notices of GitHub's workflows, at their lines. */
import type { MutationResult } from '../../../views/index.js';
import { githubCommand } from '../../warnings/workflow-command.js';
import { changeText } from './report-pretty.js';

export function survivorsGithub({ mutants, tests }: MutationResult): string {
  return mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map((result) => {
      const { mutant, status, nearest } = result;
      const near = nearest === undefined ? '' : `; ${tests[nearest.test]?.name} came nearest`;
      const message =
        status === 'Survived'
          ? `no test notices: ${changeText(result)}${near}`
          : `no test reaches this: ${changeText(result)}`;
      const { file, row } = mutant.span;
      return githubCommand('warning', { file, row }, 'mutant', message);
    })
    .join('');
}

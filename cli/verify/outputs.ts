/** The results of checks in the form that `-o` names. */
import {
  type CheckResult,
  resultRows,
  resultsAzure,
  resultsGator,
  resultsGithub,
  resultsJson,
  resultsJunit,
  resultsSarif,
  resultsStandard,
  resultsTap,
  splitRows,
  tableTitles,
} from '../../views/index.js';
import { tableText } from '../output/table.js';
import type { VerifySettings } from './settings.js';

export interface OutputOptions {
  readonly showsSkipped: boolean;
  readonly isConftest: boolean;
  readonly colors: boolean;
  readonly version: string;
}

/** An unknown form is text, with colours. */
export function outputText(results: readonly CheckResult[], settings: VerifySettings, options: OutputOptions): string {
  switch (settings.text('output')) {
    case 'json':
      return resultsJson(results);
    case 'tap':
      return resultsTap(results);
    case 'table': {
      const rows = resultRows(results);
      return rows.length === 0 ? '' : tableText(tableTitles, splitRows(rows));
    }
    case 'junit':
      return resultsJunit(results, {
        hidesMessages: settings.on('junit-hide-message'),
        runtime: `v${process.versions.node}`,
      });
    case 'github':
      return resultsGithub(results, {
        hidesPassed: settings.on('github-hide-passed'),
        printsVerbs: options.isConftest,
      });
    case 'azuredevops':
      return resultsAzure(results);
    case 'gator':
      return resultsGator(results);
    case 'sarif':
      return resultsSarif(results, { tool: toolOf(options) });
    default:
      return resultsStandard(results, {
        colors: options.colors,
        showsSkipped: options.showsSkipped,
        suppressesExceptions: settings.on('suppress-exceptions'),
      });
  }
}

function toolOf({ isConftest, version }: OutputOptions): {
  readonly name: string;
  readonly uri: string;
  readonly version: string;
} {
  if (isConftest) return { name: 'conftest', uri: 'https://github.com/open-policy-agent/conftest', version: 'dev' };
  return { name: 'writ', uri: 'https://www.npmjs.com/package/writ', version };
}

/** conftest colours its text at a terminal or not; an unknown form is text too. */
export function colorsOf(settings: VerifySettings): boolean {
  return settings.text('output') !== 'stdout' || !settings.on('no-color');
}

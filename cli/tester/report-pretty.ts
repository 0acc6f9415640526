/** Results as text: one line per test, details of failures, and counts. */
import { failureText } from '../../query/why/text.js';
import { benchmarkText } from '../eval/benchmark.js';
import { explanationStyle } from '../output/color.js';
import { durationText } from '../output/go-text.js';
import { eachSubResult, type Outcome, outcome, passed, type TestResult } from './result.js';

interface PrettyOptions {
  readonly verbose: boolean;
  /** Whether failures are shown in detail. */
  readonly failures: boolean;
  readonly benchmark: boolean;
  /** Names in the format of Go's benchmark tools. */
  readonly goBench: boolean;
  readonly color: boolean;
}

const colors = { PASS: 'good', FAIL: 'bad', ERROR: 'bad', SKIPPED: 'dim' } as const;

const line = `${'-'.repeat(80)}\n`;

export class PrettyReport {
  readonly #options: PrettyOptions;
  readonly #write: (text: string) => void;
  readonly #failures: TestResult[] = [];
  readonly #counts = { pass: 0, fail: 0, skip: 0, error: 0 };
  #dirty = false;
  #lastFile = '';

  constructor(options: PrettyOptions, write: (text: string) => void) {
    this.#options = options;
    this.#write = write;
  }

  /** Prints a result immediately. */
  add(result: TestResult): void {
    this.#count(result);
    if (passed(result) && this.#options.benchmark) {
      this.#dirty = true;
      this.#write(`${this.#benchmarkLine(result)}\n`);
    } else if (this.#options.verbose || !passed(result)) this.#show(result);
    if (result.error !== undefined) this.#write(`  ${result.error.message}\n`);
  }

  #count(result: TestResult): void {
    const { skip, error, fail, subResults } = result;
    const counts = this.#counts;
    if (skip) counts.skip++;
    else if (error !== undefined) counts.error++;
    else {
      if (fail) this.#failures.push(result);
      const leaves = [...eachSubResult(subResults)].filter(([, sub]) => sub.subResults.size === 0).map(([, sub]) => sub.fail);
      for (const failed of leaves.length > 0 ? leaves : [fail]) counts[failed ? 'fail' : 'pass']++;
    }
  }

  #show(result: TestResult): void {
    const { file, row } = result.location;
    if (this.#lastFile !== '' && this.#lastFile !== file) this.#write('\n');
    this.#lastFile = file;
    this.#dirty = true;
    this.#write(`${file}:${row}:\n${this.#painted(outcome(result), headline(result))}\n`);
    for (const [names, sub] of eachSubResult(result.subResults)) {
      if (sub.fail || this.#options.verbose) this.#write(`${'  '.repeat(names.length)}${sub.name}: ${sub.fail ? 'FAIL' : 'PASS'}\n`);
    }
    if (result.output !== '') this.#write(`\n${indented(result.output.trim())}\n\n`);
    for (const explanation of result.why ?? []) {
      const { question } = explanation;
      const title = result.subResults.size > 0 ? `${question}\n` : '';
      this.#write(`\n${indented(title + failureText(explanation, this.#options.color ? explanationStyle : undefined))}\n`);
    }
    if (result.why !== undefined && result.why.length > 0) this.#write('\n');
  }

  /** A text in the colour of an outcome. */
  #painted(name: Outcome, text: string): string {
    return this.#options.color ? explanationStyle[colors[name]](text) : text;
  }

  #benchmarkLine({ package: pkg, name, benchmark }: TestResult): string {
    if (benchmark === undefined) return '';
    const full = `${pkg}.${name}`;
    const shown = this.#options.goBench ? goBenchName(full) : full;
    return `${shown}\t${benchmarkText(benchmark)}`;
  }

  /** Prints details of failures, and the counts. */
  end(): void {
    if (this.#counts.fail > 0 && this.#options.failures) this.#showFailures();
    if (this.#dirty) this.#write(line);
    const { pass, fail, skip, error } = this.#counts;
    const total = pass + fail + skip + error;
    for (const [name, count] of [
      ['PASS', pass],
      ['FAIL', fail],
      ['SKIPPED', skip],
      ['ERROR', error],
    ] as const) {
      if (count > 0) this.#write(`${this.#painted(name, `${name}: ${count}/${total}`)}\n`);
    }
  }

  #showFailures(): void {
    this.#write(`${line}FAILURES\n${line}`);
    for (const failure of this.#failures) {
      this.#write(`${headline(failure)}\n`);
      const { failedAt, trace } = failure;
      if (trace !== undefined) this.#write(`\n${trace.map((row) => `  ${row}\n`).join('')}`);
      for (const [names, sub] of eachSubResult(failure.subResults)) {
        if (!sub.fail || sub.subResults.size > 0) continue;
        this.#write(names.map((name, depth) => `${'  '.repeat(depth + 1)}${name}: FAIL\n`).join(''));
      }
      if (failedAt !== undefined) this.#write(`\n  ${failedAt.location.file}:${failedAt.location.row}:\n${indented(failedAt.text, 4)}\n`);
      this.#write('\n');
    }
  }
}

/** `data.authz_test.test_allowed: PASS (1.2ms)`. */
export function headline(result: TestResult): string {
  const name = `${result.package}.${result.name}: ${outcome(result)}`;
  return result.skip ? name : `${name} (${durationText(result.duration)})`;
}

function indented(text: string, by = 2): string {
  return text
    .split('\n')
    .map((row) => ' '.repeat(by) + row)
    .join('\n');
}

/** `BenchmarkDataAuthzTestAllowed` for `data.authz.test_allowed`. */
function goBenchName(name: string): string {
  const words = name.replaceAll('_', '.').split('.');
  return `Benchmark${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}`;
}

/** Collects the warnings about policies that are valid. */

import { compareStrings } from '../../values/index.js';
import { compareLocations, type Location, locationOf, type Span } from '../source/location.js';
import { pageOf, type WarningHoles, type WarningName, type WarningRow, warningTable } from './warning-table.js';

/** One warning, located. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly location: Location;
  /** The text that it is about. */
  readonly span: Span;
  /** The part of it that a terminal marks, where it is not all. */
  readonly mark?: Span | undefined;
  /** The cure. */
  readonly hint?: string | undefined;
  /** The name that the message or the hint offers. */
  readonly meant?: string | undefined;
  /** The page that explains the code. */
  readonly page: string;
  /** Whether it is told in the output that scripts read, too. */
  readonly isCertain: boolean;
}

/**
 * A collector. Stages report into it; a warning that is reported twice is one.
 *
 * @example warnings.report('unresolvedImport', loc, { ref: 'data.auth', meant: 'authz' })
 */
export class Warnings {
  readonly #byPlace = new Map<string, Warning>();

  report<Name extends WarningName>(name: Name, span: Span, at: WarningHoles<Name>, mark?: Span): void {
    // The table's rows have holes of different types; `WarningHoles` has checked this one.
    const { code, sentence, hint, isCertain } = warningTable[name] as unknown as WarningRow<WarningHoles<Name>>;
    const location = locationOf(mark ?? span);
    this.add({
      code,
      message: sentence(at),
      location,
      span,
      mark,
      hint: hint?.(at),
      meant: (at as { readonly meant?: string }).meant,
      page: pageOf(code),
      isCertain: isCertain?.(at) ?? true,
    });
  }

  add(warning: Warning): void {
    const { code, message, location } = warning;
    const key = `${location.file}:${location.row}:${location.col} ${code} ${message}`;
    if (!this.#byPlace.has(key)) this.#byPlace.set(key, warning);
  }

  /** In the order of the text. */
  get list(): readonly Warning[] {
    return [...this.#byPlace.values()].sort(
      (a, b) => compareLocations(a.location, b.location) || compareStrings(a.code, b.code),
    );
  }
}

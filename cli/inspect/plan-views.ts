/** The views of plans that `inspect` shows, as text and as JSON. */

import { type AddressedOwner, type Policy, verify } from '../../ir-schema/index.js';
import { type Builtin, releaseCapabilities } from '../../values/index.js';
import type { PlanView } from '../../views/index.js';
import {
  type CodeLine,
  callersText,
  callsText,
  codeLines,
  graphDot,
  isNote,
  type KnownRule,
  listingLines,
  type OverlaidCounts,
  overlaid,
  type PlanProblem,
  parsePlace,
  problemsText,
  type SourceLines,
  scriptLines,
  sourceLines,
  stringsText,
  textOfLines,
  unplannedText,
  type VerifyOptions,
  verifyPlan,
  type WantedPlace,
  widest,
} from '../../views/index.js';
import type { FlagValues } from '../flags.js';

/** The plan of a view, with its options. */
export interface ViewRequest {
  readonly view: PlanView;
  /** The texts of the files. */
  readonly linesOf: SourceLines;
  /** The rules of the policies. */
  readonly rules: () => readonly KnownRule[];
  /** The plans and functions of the names on the command line. */
  readonly owners: readonly AddressedOwner[];
  /** The functions and built-ins of the names. */
  readonly callees: readonly (AddressedOwner | string)[];
  readonly flags: FlagValues;
  /** The built-ins, those of the host too. */
  readonly builtins: ReadonlyMap<string, Builtin>;
  /** Counts to show before the statements, by address. */
  readonly counts: ReadonlyMap<string, OverlaidCounts> | undefined;
}

/** A view of plans, by its flag. */
interface View {
  readonly flag: string;
  readonly json: (request: ViewRequest) => unknown;
  readonly text: (request: ViewRequest) => string;
  /** Whether it shows that something is wrong. */
  readonly fails?: (request: ViewRequest) => boolean;
}

/** Names the files, and what tells where they are. */
function missingSources({ static: shared }: Policy): string {
  const names = (shared?.files ?? []).map(({ value }) => value);
  if (names.length === 0) return 'the plan names no sources';
  const shown = names.length > 3 ? [...names.slice(0, 3), '…'] : names;
  return `the sources of the plan are not there, or have changed: ${shown.join(', ')} (--source-root tells where they are)`;
}

/** In the order in which they are shown. */
export const planViews: readonly View[] = [
  {
    flag: 'listing',
    json: ({ view, owners }) => view.listing(owners),
    text: ({ view, owners, flags, linesOf, counts }) => {
      const style = {
        fullAddresses: flags.on('annotations'),
        debug: view.debug,
        ...(flags.on('source') && { linesOf }),
      };
      return textOfLines(withCounts(listingLines(view.policy, view.addresses, owners, style), counts));
    },
  },
  {
    flag: 'source',
    json: ({ view, owners, linesOf }) => view.sources(linesOf, owners),
    text: ({ view, owners, flags, linesOf }) => {
      if (flags.on('listing')) return '';
      const sources = view.sources(linesOf, owners);
      if (sources.length === 0) throw new Error(missingSources(view.policy));
      return textOfLines(sourceLines(view.policy, view.addresses, sources));
    },
  },
  {
    flag: 'at',
    json: ({ view, flags }) => view.at(placeOf(flags)),
    text: ({ view, flags }) => placeText(view, flags),
  },
  {
    flag: 'program',
    json: ({ view, owners, builtins }) => verified(view, builtins).instructions(owners),
    text: ({ view, owners, builtins, counts }) =>
      blocks(
        verified(view, builtins)
          .instructions(owners)
          .map((code) => textOfLines(withCounts(codeLines(code), counts))),
      ),
  },
  {
    flag: 'js',
    json: ({ view, owners, builtins }) => verified(view, builtins).script(owners),
    text: ({ view, owners, builtins, counts }) =>
      blocks(
        verified(view, builtins)
          .script(owners)
          .map((script) => textOfLines(withCounts(scriptLines(script), counts))),
      ),
  },
  {
    flag: 'calls',
    json: ({ view, owners }) => view.calls(owners),
    text: ({ view, owners }) => callsText(view.calls(owners)),
  },
  {
    flag: 'callers',
    json: ({ view, callees }) => view.callers(callees),
    text: ({ view, callees }) => callersText(view.callers(callees)),
  },
  {
    flag: 'cfg',
    json: ({ view, owners }) => view.blocks(owners),
    text: ({ view, owners }) => graphDot(view.policy, view.addresses, view.blocks(owners)),
  },
  {
    flag: 'strings',
    json: ({ view }) => view.strings(),
    text: ({ view }) => stringsText(view.strings()),
  },
  {
    flag: 'unplanned',
    json: ({ view, rules }) => view.unplanned(rules()),
    text: ({ view, rules }) => unplannedText(view.unplanned(rules())),
  },
  {
    flag: 'verify',
    json: (request) => problemsOf(request),
    text: (request) => problemsText(problemsOf(request)),
    fails: (request) => problemsOf(request).some((problem) => !isNote(problem)),
  },
];

/** The release of the reference whose built-ins EOPA has. */
const eopaRelease = 'v1.12.1';

function problemsOf({ view, builtins, flags }: ViewRequest): PlanProblem[] {
  // The package has the capabilities of this release.
  const known = releaseCapabilities(eopaRelease, 1)!.builtins.map(({ name }) => name);
  return verifyPlan(view, {
    builtins,
    target: flags.text('for') as VerifyOptions['target'],
    eopaBuiltins: new Set(known),
  });
}

/** The views that have the address of a statement at its lines. */
export const countedViews: readonly string[] = ['listing', 'program', 'js'];

function withCounts(lines: readonly CodeLine[], counts: ViewRequest['counts']): readonly CodeLine[] {
  return counts === undefined ? lines : overlaid(lines, counts);
}

function placeOf(flags: FlagValues): WantedPlace {
  const given = flags.text('at') ?? '';
  const place = parsePlace(given);
  if (place === undefined) throw new Error(`--at ${given}: expected FILE:LINE or FILE:LINE:COLUMN`);
  return place;
}

function placeText(view: PlanView, flags: FlagValues): string {
  const place = placeOf(flags);
  const found = view.at(place);
  if (found.length === 0) throw new Error(`--at ${flags.text('at')}: no statement has this place`);
  const width = widest(found.map(({ address }) => address));
  return found.map(({ address, text }) => `${address.padEnd(width)}  ${text}\n`).join('');
}

function blocks(texts: readonly string[]): string {
  return texts.join('\n');
}

/** Programs are made of plans without faults only. */
function verified(view: PlanView, builtins: ViewRequest['builtins']): PlanView {
  verify(view.policy, builtins);
  return view;
}

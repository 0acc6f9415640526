/** A metric in a query of Prometheus. */
interface Asked {
  readonly name: string;
  /** The labels that its matchers name. */
  readonly labels: readonly string[];
}

const words = new Set([
  'and',
  'or',
  'unless',
  'bool',
  'offset',
  'by',
  'without',
  'on',
  'ignoring',
  'group_left',
  'group_right',
  'time',
]);

/** The metrics of a query. */
export function metricsIn(query: string): Asked[] {
  // Texts may contain anything; lists of labels are no metrics.
  const bare = query
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/(?<![\w.$])([a-zA-Z_:][\w:]*)(?!\w)(?!\s*\()(?:\{([^}]*)\})?/g)]
    .filter(([, name], i, all) => !words.has(name!) && !isInMatcher(bare, all[i]!.index))
    .map(([, name, matchers = '']) => ({
      name: name!,
      labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
    }));
}

function isInMatcher(query: string, index: number): boolean {
  return query.lastIndexOf('{', index) > query.lastIndexOf('}', index);
}

export function missingEntry(
  changed: readonly string[],
  before: string,
  after: string,
  messages: string,
): string | undefined;

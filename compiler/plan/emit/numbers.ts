/** The integer that a number's text is, if a statement can hold it; others are kept as texts. */
export function plannedInteger(text: string): number | undefined {
  const value = Number(text);
  return Number.isSafeInteger(value) && String(value) === text ? value : undefined;
}

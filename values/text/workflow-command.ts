/** Texts in the workflow commands of GitHub Actions, which stand in one line. */

export function workflowMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

export function workflowProperty(text: string): string {
  return workflowMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

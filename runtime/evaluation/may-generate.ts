/** Whether the host lets code be made of text. It is asked by trying. */
export function mayGenerate(): boolean {
  try {
    return new Function('return true')() as boolean;
  } catch {
    return false;
  }
}

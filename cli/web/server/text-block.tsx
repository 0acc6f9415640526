/** A text that scrolls where it is long, by keyboard too. */
export function TextBlock({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre tabIndex={0}>{text}</pre>
  );
}

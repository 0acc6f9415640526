interface TextBlockProps {
  readonly text: string;
  /** Whether long lines go on in the next one. */
  readonly isWrapped?: boolean;
}

/** A text that scrolls where it is long, by keyboard too. */
export function TextBlock({ text, isWrapped = false }: TextBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre class={isWrapped ? 'wrapped' : undefined} tabIndex={0}>
      {text}
    </pre>
  );
}

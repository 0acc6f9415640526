/** Shows all of a graph, or as large as its letters are. */
import type { Signal } from '@preact/signals';

export function FitButton({ isFit }: { readonly isFit: Signal<boolean> }) {
  return (
    <span class="buttons">
      <button type="button" aria-pressed={isFit.value} onClick={() => (isFit.value = !isFit.value)}>
        fit
      </button>
    </span>
  );
}

/** The colours of a page: those of the system, light or dark. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const signs: Readonly<Record<Theme, string>> = { auto: '◐', light: '○', dark: '●' };

/** @param chosen the state of a page that keeps it; left out, the button has its own */
export function ThemeButton({ chosen }: { readonly chosen?: Signal<Theme> }) {
  const own = useSignal<Theme>('auto');
  const theme = chosen ?? own;
  const { value } = theme;
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (value === 'auto') delete dataset.theme;
    else dataset.theme = value;
  }, [value]);
  return (
    <button
      type="button"
      class="quiet"
      title="Colours"
      aria-label={`Colours: ${value}`}
      onClick={() => (theme.value = themes[themes.indexOf(value) + 1] ?? themes[0])}
    >
      {signs[value]}
    </button>
  );
}

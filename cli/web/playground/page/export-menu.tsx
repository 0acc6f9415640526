/** The project as files and lines for other places. */
import { useSignal } from '@preact/signals';
import { curlLines } from './curl-lines.js';
import { playgroundModule } from './module-text.js';
import { messageOf, type PlaygroundState } from './playground-state.js';

export function ExportMenu({ state }: { readonly state: PlaygroundState }) {
  const isOpen = useSignal(false);
  const choose = (save: () => void | Promise<void>) => async () => {
    isOpen.value = false;
    try {
      await save();
    } catch (error) {
      state.notice.value = messageOf(error);
    }
  };
  const choices = [
    [
      'Bundle (bundle.tar.gz)',
      async () => download('bundle.tar.gz', await state.engine.ask('bundle', state.project.value)),
    ],
    ['ES module (decide.js)', () => download('decide.js', playgroundModule(state.asked.value))],
    ['curl lines (policies.sh)', () => download('policies.sh', curlLines(state.asked.value))],
  ] as const;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu
    <div
      class="menu"
      onKeyDown={({ key }) => {
        if (key === 'Escape') isOpen.value = false;
      }}
    >
      <button type="button" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        Export
      </button>
      {isOpen.value && (
        <div class="menu-choices">
          {choices.map(([title, save]) => (
            <button key={title} type="button" onClick={choose(save)}>
              {title}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function download(name: string, content: string | Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([content]));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

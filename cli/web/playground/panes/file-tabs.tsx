/** The policies of the project: open, add, rename, remove. */
import { useSignal } from '@preact/signals';
import type { PlaygroundState } from '../page/playground-state.js';

export function FileTabs({ state }: { readonly state: PlaygroundState }) {
  const renamed = useSignal<string | undefined>(undefined);
  const files = state.files.value;
  return (
    <nav class="files" aria-label="Policies">
      {files.map(({ file }) =>
        renamed.value === file ? (
          <NameField
            key={file}
            file={file}
            onDone={(name) => {
              if (name !== undefined && !state.renameFile(file, name))
                state.notice.value = `${name}: the name must end with .rego, and be no other file's`;
              renamed.value = undefined;
            }}
          />
        ) : (
          <span key={file} class="file-tab" data-open={state.open.value === file}>
            <button
              type="button"
              aria-current={state.open.value === file ? 'true' : undefined}
              title="Open; a double click renames"
              onClick={() => (state.open.value = file)}
              onDblClick={() => (renamed.value = file)}
              onKeyDown={({ key }) => {
                if (key === 'F2') renamed.value = file;
              }}
            >
              {file}
            </button>
            {files.length > 1 && state.open.value === file && (
              <button
                type="button"
                class="quiet"
                title={`Remove ${file}`}
                aria-label={`Remove ${file}`}
                onClick={() => state.removeFile(file)}
              >
                ×
              </button>
            )}
          </span>
        ),
      )}
      <button
        type="button"
        class="quiet"
        title="Add a policy"
        aria-label="Add a policy"
        onClick={() => state.addFile()}
      >
        +
      </button>
    </nav>
  );
}

function NameField({ file, onDone }: { readonly file: string; readonly onDone: (name: string | undefined) => void }) {
  return (
    <input
      class="field mono"
      aria-label={`New name of ${file}`}
      ref={(field) => field?.focus()}
      value={file}
      onBlur={({ currentTarget }) => onDone(currentTarget.value.trim())}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') onDone(currentTarget.value.trim());
        if (key === 'Escape') onDone(undefined);
      }}
    />
  );
}

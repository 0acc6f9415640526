/** The base documents as a tree, of which the open parts are asked for. */
import { useState } from 'preact/hooks';
import { Answered, useAnswer } from './answered.js';
import { askServer } from './ask-server.js';
import type { DataMember, DocumentView } from './server-view.js';

export function DataTree() {
  return (
    <section aria-label="Base documents" class="scroll tree">
      <Members path={[]} />
    </section>
  );
}

interface MembersProps {
  readonly path: readonly string[];
}

function Members({ path }: MembersProps) {
  const query = encodeURIComponent(JSON.stringify(path));
  const answer = useAnswer(() => askServer<DocumentView>(`ui/data?path=${query}`), [query]);
  return (
    <Answered answer={answer}>
      {({ members, omitted }) => (
        <ul>
          {members.map((member) => (
            <Member key={member.key} path={[...path, member.key]} member={member} />
          ))}
          {members.length === 0 && <li class="soft">empty</li>}
          {omitted > 0 && <li class="soft">{omitted} more</li>}
        </ul>
      )}
    </Answered>
  );
}

function Member({ path, member: { key, size, text } }: MembersProps & { readonly member: DataMember }) {
  const [isOpen, setOpen] = useState(false);
  if (size === undefined || size === 0) {
    return (
      <li class="mono">
        {key}: <span class="value">{text}</span>
      </li>
    );
  }
  return (
    <li>
      <button type="button" class="link mono" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? '▾' : '▸'} {key}
      </button>{' '}
      <span class="soft mono">
        {text} {size}
      </span>
      {isOpen && <Members path={path} />}
    </li>
  );
}

/** Graphs, health and bundles. */
import { ageText, millisecondsText } from './durations.js';
import { rateOf, SmallGraph } from './graph.js';
import type { MetricsSample, ServerState } from './server-state.js';
import type { BundleView, ServerView } from './server-view.js';

interface OverviewProps {
  readonly state: ServerState;
  readonly view: ServerView;
}

export function Overview({ state, view }: OverviewProps) {
  const samples = state.samples.value;
  return (
    <div class="stack">
      <section aria-label="Metrics" class="graphs">
        <SmallGraph title="Requests a second" points={rateOf(samples, ({ requests }) => requests)} unit={number} />
        <SmallGraph title="Time of a request" points={meanTimes(samples)} unit={(ms) => `${number(ms)} ms`} />
        <SmallGraph title="Errors a second" points={rateOf(samples, ({ failures }) => failures)} unit={number} />
        <SmallGraph
          title="Processor"
          points={rateOf(samples, ({ cpuSeconds }) => 100 * cpuSeconds)}
          unit={(n) => `${number(n)} %`}
        />
        <SmallGraph
          title="Memory"
          points={samples.map(({ residentBytes }) => residentBytes / 2 ** 20)}
          unit={(n) => `${number(n)} MiB`}
        />
        <SmallGraph
          title="Heap"
          points={samples.map(({ heapBytes }) => heapBytes / 2 ** 20)}
          unit={(n) => `${number(n)} MiB`}
        />
      </section>
      <section aria-labelledby="bundles">
        <h2 id="bundles">Bundles</h2>
        {view.bundles.length === 0 ? <p class="soft">No bundle is loaded.</p> : <Bundles view={view} />}
      </section>
      <section aria-labelledby="health">
        <h2 id="health">Health</h2>
        <ul class="plain">
          {view.health.plugins.map(({ name, state: its, message }) => (
            <li key={name}>
              <span class={its === 'OK' ? 'badge good' : 'badge bad'}>{its}</span> {name} {message}
            </li>
          ))}
        </ul>
        <p class="soft">
          Up for {millisecondsText(view.nowMs - view.startedMs)} · revision {view.revision} · API of OPA {view.opa} ·{' '}
          {view.policies.length} policies
        </p>
      </section>
    </div>
  );
}

function Bundles({ view }: { readonly view: ServerView }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">State</th>
          <th scope="col">Revision</th>
          <th scope="col" class="aside">
            Roots
          </th>
          <th scope="col">Activated</th>
          <th scope="col">Asked</th>
        </tr>
      </thead>
      <tbody>
        {view.bundles.map((bundle) => (
          <BundleRow key={bundle.name} bundle={bundle} nowMs={view.nowMs} />
        ))}
      </tbody>
    </table>
  );
}

function BundleRow({ bundle, nowMs }: { readonly bundle: BundleView; readonly nowMs: number }) {
  const { name, isActive, revision, roots, activatedMs, requestedMs, error } = bundle;
  return (
    <>
      <tr>
        <th scope="row">{name}</th>
        <td>
          <span class={error === undefined && isActive ? 'badge good' : 'badge bad'}>
            {error !== undefined ? 'error' : isActive ? 'active' : 'not loaded'}
          </span>
        </td>
        <td class="mono">{revision || '–'}</td>
        <td class="mono aside">{roots.map((root) => root || '(all)').join(' ') || '–'}</td>
        <td>{ageText(activatedMs, nowMs)}</td>
        <td>{ageText(requestedMs, nowMs)}</td>
      </tr>
      {error !== undefined && (
        <tr>
          <td colSpan={6}>
            <pre class="fault">{error}</pre>
          </td>
        </tr>
      )}
    </>
  );
}

/** Milliseconds of a request between each two samples. */
function meanTimes(samples: readonly MetricsSample[]): number[] {
  return samples.slice(1).map((sample, i) => {
    const before = samples[i]!;
    const requests = sample.requests - before.requests;
    return requests <= 0 ? 0 : (1000 * (sample.requestSeconds - before.requestSeconds)) / requests;
  });
}

function number(value: number): string {
  return value >= 100 || value === 0 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

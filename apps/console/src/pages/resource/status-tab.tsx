import { stringify } from 'yaml';
import { slotsOf } from '../../logic/state.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { Card } from '../../ui/card.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { Conditions } from './conditions.tsx';
import type { ResourceView } from './view.ts';

/** The status by writer: who said what, and about which generation. */
export function StatusTab({ resource }: ResourceView) {
  const slots = slotsOf(resource);
  const { generation } = resource.metadata;
  if (slots.length === 0) {
    return (
      <Empty title="No controller has reported">
        <p className="muted">A controller reports with a write of the status.</p>
      </Empty>
    );
  }
  return (
    <div className="cards">
      {slots.map((slot) => {
        const isBehind = slot.observedGeneration !== null && slot.observedGeneration < generation;
        return (
          <Card
            key={slot.writer}
            title={slot.writer}
            flush
            actions={
              slot.observedGeneration === null ? null : (
                <StateBadge state={isBehind ? 'progressing' : 'ready'}>
                  {isBehind
                    ? `has seen ${slot.observedGeneration} of ${generation}`
                    : 'has seen the latest spec'}
                </StateBadge>
              )
            }
          >
            {slot.conditions.length === 0 ? null : <Conditions slots={[slot]} generation={generation} />}
            <details className="raw">
              <summary>Everything it reports</summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keys */}
              <pre tabIndex={0}>{visibleText(stringify(slot.value, { lineWidth: 0 }))}</pre>
            </details>
          </Card>
        );
      })}
    </div>
  );
}

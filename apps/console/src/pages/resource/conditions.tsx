import { conditionState, type Slot } from '../../logic/state.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Age } from '../../ui/time.tsx';

/** The conditions of all writers, each with who says so and whether it has seen the latest spec. */
export function Conditions({
  slots,
  generation,
}: {
  readonly slots: readonly Slot[];
  readonly generation: number;
}) {
  const all = slots.flatMap((slot) => slot.conditions.map((condition) => ({ slot, condition })));
  if (all.length === 0) {
    return (
      <p className="state muted">
        {slots.length === 0 ? 'No controller has reported.' : 'No controller reports conditions.'}
      </p>
    );
  }
  return (
    <ul className="rows">
      {all.map(({ slot, condition }) => (
        <li key={`${slot.writer}/${condition.type}`}>
          <StateBadge state={conditionState(condition)}>
            {visibleText(`${condition.type}: ${condition.status}`)}
          </StateBadge>
          <span className="grow">
            {visibleText([condition.reason, condition.message].filter(Boolean).join(': '))}
            <span className="muted"> {slot.writer}</span>
          </span>
          {slot.observedGeneration !== null && slot.observedGeneration < generation ? (
            <StateBadge state="progressing">{`has seen ${slot.observedGeneration} of ${generation}`}</StateBadge>
          ) : null}
          {condition.lastTransitionTime === undefined ? null : <Age time={condition.lastTransitionTime} />}
        </li>
      ))}
    </ul>
  );
}

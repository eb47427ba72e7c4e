import type { State } from '../logic/state.ts';
import { Icon, type IconName } from './icon.tsx';

const words: Readonly<Record<State, { readonly icon: IconName; readonly word: string }>> = {
  ready: { icon: 'check', word: 'Ready' },
  progressing: { icon: 'half', word: 'Progressing' },
  warning: { icon: 'triangle', word: 'Warning' },
  failed: { icon: 'octagon', word: 'Failed' },
  deleting: { icon: 'bin', word: 'Deleting' },
  unknown: { icon: 'ring', word: 'Unknown' },
};

/** The state of a resource; empty where no controller reports one. */
export function ReportedState({ state }: { readonly state: State }) {
  return state === 'unknown' ? null : <StateBadge state={state} />;
}

/** A state by shape, word and colour, so that none of them is needed alone. */
export function StateBadge({ state, children }: { readonly state: State; readonly children?: string }) {
  const { icon, word } = words[state];
  return (
    <span className="badge" data-state={state}>
      <Icon name={icon} />
      {children ?? word}
    </span>
  );
}

export function ProtectedBadge() {
  return (
    <span className="badge" title="Protected from deletion">
      <Icon name="lock" />
      Protected
    </span>
  );
}

import type { CollectorSwitch } from '../ports/index.ts';

/** What operators do with the switch. */
export const switchVerbs = ['pause', 'resume', 'state'] as const;
export type SwitchVerb = (typeof switchVerbs)[number];

/** Does it, and says in one line how the switch stands then. */
export async function turnSwitch(collector: CollectorSwitch, verb: SwitchVerb): Promise<string> {
  if (verb === 'pause') await collector.pause();
  if (verb === 'resume') await collector.resume();
  const { pausedSince, leader } = await collector.state();
  const state = pausedSince === null ? 'running' : `paused since ${pausedSince}`;
  return `${state}, leader: ${leader ?? 'none'}`;
}

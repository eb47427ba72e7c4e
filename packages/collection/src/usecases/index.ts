export type { SweepOutcome, SweepReport } from '../model/sweep-report.ts';
export { Collector, type CollectorPorts, type CollectorSettings } from './collector.ts';
export { type SwitchVerb, switchVerbs, turnSwitch } from './turn-switch.ts';

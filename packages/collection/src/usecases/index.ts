export { Collector, type CollectorPorts, type CollectorSettings } from './collector.ts';
export type { SweepOutcome, SweepReport } from './sweep-report.ts';
export { type SwitchVerb, switchVerbs, turnSwitch } from './turn-switch.ts';

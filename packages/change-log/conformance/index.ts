export { describeChangeLog, type LogUnderTest } from './describe-change-log.ts';
export { faultsOf, type Told, toldOf } from './faults.ts';

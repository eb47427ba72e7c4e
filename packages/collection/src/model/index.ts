export type { BatchPlan, LockedRow, RowChange, Standing, Verdict, Witness } from './batch.ts';

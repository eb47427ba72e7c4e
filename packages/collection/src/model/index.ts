export type { BatchPlan, LockedRow, Reached, RowChange, Standing, Verdict, Witness } from './batch.ts';

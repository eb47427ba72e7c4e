import type { Logger } from '@platform/kernel';
import type { SweepReport } from '../model/sweep-report.ts';

/** One line for each sweep that did something, or could not go on; none for those that found nothing. */
export function logSweep(logger: Logger, report: SweepReport): void {
  const { removed, stamped, refused, outcome } = report;
  if (removed + stamped + refused === 0 && outcome === 'done') return;
  logger.info('collector: swept', { ...report });
}

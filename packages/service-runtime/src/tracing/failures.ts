import { DiagLogLevel, diag } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';

/** A collector that is away fails an export every few seconds: it is told once in so many milliseconds. */
const quietMs = 60_000;

/**
 * Hands what goes wrong with exports to `report`, at most once a minute, with how often it was left out in between. OpenTelemetry keeps
 * both of its outlets for such things in one place for the process. Returns the same way out for faults that come by another way.
 */
export function reportFailures(report: (reason: string, leftOut: number) => void): (fault: unknown) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  const tell = (reason: string) => {
    if (performance.now() - saidAt < quietMs) {
      leftOut += 1;
      return;
    }
    saidAt = performance.now();
    report(reason, leftOut);
    leftOut = 0;
  };
  // Not more of it than its message: the answer of the other side hangs on it.
  const fail = (fault: unknown) => tell(messageOf(fault));
  setGlobalErrorHandler(fail);
  const ignore = () => undefined;
  diag.setLogger(
    { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  return fail;
}

function messageOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  const { code } = fault as { readonly code?: unknown };
  if (fault.message !== '') return fault.message;
  return code === undefined ? fault.name : String(code);
}

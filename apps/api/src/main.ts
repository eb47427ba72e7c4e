import { exitOnStopSignals } from '@platform/service-runtime/stop-signals';

exitOnStopSignals();
// Not a static import: all of the code would be loaded before the line above runs.
await import('./serve.ts');

export { buildOnce } from './build-once.ts';
export { chromiumFlags, chromiumPath } from './chromium.ts';
export { type FakeClock, fakeClock } from './fake-clock.ts';
export { FakeTimers, settled } from './fake-timers.ts';
export { freePort } from './free-port.ts';
export { OtlpReceiver, type ReceivedExport, type ReceivedSpan } from './otlp-receiver.ts';
export { type RecordedLine, type RecordingLogger, recordingLogger } from './recording-logger.ts';
export { seededBytes } from './seeded-bytes.ts';
export { type TestDatabase, type TestDatabaseOptions, testDatabase } from './test-database.ts';

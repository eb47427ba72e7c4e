/**
 * How Node is started for API and collector: by the launcher, in the images (docker/Dockerfile) and by the benchmark.
 *
 * A young generation of at most 2 × 32 MB instead of 2 × 16. Pages of a hundred documents make some 400 KB of garbage each; with more
 * room, fewer of them are still being sent when V8 collects, and so copied. Measured with pages of 100 at 32 connections: CPU time of a
 * page 850 to 710 µs, resident memory under that load 201 to 225 MB. (At 64 MB: 570 µs, 294 MB.) Memory at rest does not change.
 */
export const nodeOptions: readonly string[] = ['--max-semi-space-size=32'];

/**
 * How Node is started for API and collector: by the launcher, in the images (docker/Dockerfile) and by the benchmark.
 *
 * A young generation of at most 2 × 32 MB instead of 2 × 16. Pages of a hundred documents make some 400 KB of garbage each; with more
 * room, fewer of them are still being sent when V8 collects, and so copied. Measured with pages of 100 at 32 connections: CPU time of a
 * page 850 to 710 µs, resident memory under that load 201 to 225 MB. (At 64 MB: 570 µs, 294 MB.) Memory at rest does not change.
 *
 * No object is made in the old generation because others from its place in the code lived long. After a burst of pages on 128 connections V8
 * did so with what answers are made of, and went on when the burst was over: dead objects there kept the texts of later pages, so that of
 * 16 MB allocated 10 were moved to the old generation (without: 0.02), in pauses of 15 ms instead of 2.
 */
export const nodeOptions: readonly string[] = [
  '--max-semi-space-size=32',
  '--no-allocation-site-pretenuring',
];

/**
 * Makes a write a dry run, which does everything but the commit. A replica of release 0.24 passes over parameters that it does not know,
 * and would carry it out. It takes JSON alone, so it refuses the same body as YAML, of which JSON is a part.
 */
export const asDryRun = { query: { dryRun: 'true' }, contentType: 'application/yaml' } as const;

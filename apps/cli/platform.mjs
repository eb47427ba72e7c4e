#!/usr/bin/env node
import { existsSync } from 'node:fs';

// Plain JavaScript and part of the repository, so that the command is there before the build.
const program = new URL('./bundle/main.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('platform: not built yet; run: npx pnpm build\n');
  process.exit(1);
}

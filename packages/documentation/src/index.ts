export { type BlockRun, runPage } from './run-page.ts';
export { matches, readShellBlocks, type ShellBlock } from './shell-page.ts';

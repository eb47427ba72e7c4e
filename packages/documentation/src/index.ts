export { type BlockRun, type PagePart, runPage, runPages } from './run-page.ts';
export {
  type Fence,
  type Manner,
  matches,
  readFences,
  readShellBlocks,
  type ShellBlock,
} from './shell-page.ts';

import { download, downloads } from './downloads.ts';
import { home } from './home.ts';
import { problem, problemList } from './problems.ts';

/** Pages that a person reaches by clicking. */
export const pageEndpoints = [home, problemList, problem, downloads, download];

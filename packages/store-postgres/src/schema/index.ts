export { catalogEpoch, resources } from './resources.ts';

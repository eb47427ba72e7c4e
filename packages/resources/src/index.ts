export * from './model/index.ts';
export * from './ports/index.ts';

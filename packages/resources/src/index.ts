export * from './kinds/index.ts';
export * from './model/index.ts';
export * from './ports/index.ts';
export * from './rules/index.ts';
export * from './usecases/index.ts';

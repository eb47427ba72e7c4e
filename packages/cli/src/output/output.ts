import { Option } from 'commander';

const outputs = ['table', 'wide', 'yaml', 'json', 'name'] as const;

/** How resources are shown. */
export type Output = (typeof outputs)[number];

/** The option that says so. */
export function outputOption(): Option {
  return new Option('-o, --output <format>', 'how to show them').choices(outputs).default('table');
}

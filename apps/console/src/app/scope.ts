import { useSearch } from '@tanstack/react-router';

/** The names of the ancestors that the user works below; empty for everything. */
export function useScope(): readonly string[] {
  const { in: scope } = useSearch({ strict: false });
  return (scope ?? '').split('/').filter((name) => name !== '');
}

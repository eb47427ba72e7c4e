const form = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const stages = ['alpha', 'beta', undefined];

/**
 * Orders versions as Kubernetes does ("Version priority"): stable before beta before alpha, the greater number first, then every other name by
 * its letters.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [form.exec(a), form.exec(b)];
  if (left === null || right === null) {
    if (left !== null) return -1;
    if (right !== null) return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  const stage = stages.indexOf(right[2]) - stages.indexOf(left[2]);
  return stage || Number(right[1]) - Number(left[1]) || Number(right[3] ?? 0) - Number(left[3] ?? 0);
}

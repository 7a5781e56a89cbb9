import type { RecomputeResult } from './run-recompute.ts'

export function printRecompute({
  name,
  charges,
  units,
  versions,
  wrong,
  findings,
}: RecomputeResult): readonly string[] {
  return [
    `${name}: ${charges} charges of ${units} units together, by ${versions} price versions`,
    ...findings,
    ...(wrong > findings.length ? [`… and ${wrong - findings.length} more`] : []),
    wrong === 0 ? 'Every charge costs the same, to the unit.' : `${wrong} findings.`,
  ]
}

import type { LogRow } from '@tollgate/contract/log'

const results = ['bound', 'moved', 'new'] as const

/** What session affinity did for the call; `undefined` where it did nothing. */
export function affinityOf({ other }: Pick<LogRow, 'other'>): (typeof results)[number] | undefined {
  return results.find((result) => other.includes(`"affinity":"${result}"`))
}

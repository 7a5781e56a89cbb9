import type { RosterChannel } from '../snapshots/snapshots.ts'

export interface ModelNames {
  readonly asked: string
  readonly offered: string
}

/**
 * The mapping may contain the model name as the caller wrote it, including the prefix, or as the channel
 * offers it. `undefined` when the mapping is circular.
 */
export function upstreamModel({ modelMapping }: RosterChannel, names: ModelNames): string | undefined {
  for (const name of [names.asked, names.offered]) if (modelMapping.has(name)) return modelMapping.get(name)
  return names.offered
}

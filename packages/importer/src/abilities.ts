import { elements } from './map-channel.ts'
import type { Note } from './note.ts'
import type { Source } from './source.ts'

/**
 * Tollgate derives which channel serves which model from the channels themselves. The source's `abilities`
 * table is only counted, and a channel whose row count differs is reported.
 */
export interface AbilityCounts {
  readonly rows: number
  compare(channel: {
    readonly id: number
    readonly models: string
    readonly group_names: string
  }): readonly Note[]
  /**
   * Notes for ability rows whose channel no longer exists. Complete only after `compare` was called for every
   * channel.
   */
  orphans(): readonly Note[]
}

export async function countAbilities(source: Source): Promise<AbilityCounts> {
  const counts = new Map(await source.countBy('abilities', 'channel_id'))
  const hasAbilities = source.tables.has('abilities')
  return {
    rows: [...counts.values()].reduce((sum, count) => sum + count, 0),
    compare({ id, models, group_names: groups }) {
      const actual = counts.get(id) ?? 0
      counts.delete(id)
      const expected = elements(models).length * elements(groups).length
      return hasAbilities && actual !== expected
        ? [note(id, `${actual} rows, its models and groups make ${expected}`)]
        : []
    },
    orphans: () => [...counts].map(([id, count]) => note(id, `${count} rows of a channel that is gone`)),
  }
}

function note(id: number, detail: string): Note {
  return { table: 'abilities', id, code: 'abilities-differ', detail }
}

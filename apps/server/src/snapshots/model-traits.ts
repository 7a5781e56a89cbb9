import type { JsonObject } from '@tollgate/dialects/json'
import { writeTraits } from '@tollgate/dialects/traits/fields'
import { traitsOf } from '@tollgate/dialects/traits/lookup'
import type { RosterChannel } from './snapshots.ts'

/**
 * The traits of a model as shown to users: those that all of its channels agree on. The built-in table is
 * used where channels differ, and for channels that map the name to another model.
 */
export function shownTraits(channels: readonly RosterChannel[], model: string): JsonObject {
  const [first, ...others] = new Set(
    channels.map((channel) =>
      (channel.modelMapping.has(model) ? traitsOf : channel.settings.traitsOf)(model),
    ),
  )
  return writeTraits(first !== undefined && others.length === 0 ? first : traitsOf(model))
}

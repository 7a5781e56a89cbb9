import type { JsonObject } from '@tollgate/dialects/json'
import { writeTraits } from '@tollgate/dialects/traits/fields'
import { traitsOf, type TraitsOf } from '@tollgate/dialects/traits/lookup'
import { traitsWith, invalidTrait, type InvalidTrait } from '@tollgate/dialects/traits/override'
import type { RosterChannel } from './snapshots.ts'

type Setting = RosterChannel['setting']

/** Traits of a channel's models: the built-in table, overridden by the channel's `model_traits` setting. */
export function channelTraits(setting: Setting): TraitsOf {
  return traitsWith(setting['model_traits'])
}

/** The first entry of `model_traits` that cannot be read. */
export function wrongModelTrait(setting: Setting): InvalidTrait | undefined {
  return invalidTrait(setting['model_traits'])
}

/**
 * The traits of a model as shown to users: those that all of its channels agree on. The built-in table is
 * used where channels differ, and for channels that map the name to another model.
 */
export function shownTraits(channels: readonly RosterChannel[], model: string): JsonObject {
  const [first, ...others] = new Set(
    channels.map((channel) => (channel.modelMapping.has(model) ? traitsOf : channel.traitsOf)(model)),
  )
  return writeTraits(first !== undefined && others.length === 0 ? first : traitsOf(model))
}

import type { JsonObject } from '@tollgate/dialects/json'
import { writeTraits } from '@tollgate/dialects/traits/fields'
import { traitsOf, type TraitsOf } from '@tollgate/dialects/traits/lookup'
import { traitsWith, wrongTrait, type WrongTrait } from '@tollgate/dialects/traits/override'
import type { RosterChannel } from './snapshots.ts'

type Setting = RosterChannel['setting']

/** What a channel's models take: the table, and what the channel's `model_traits` says of them. */
export function channelTraits(setting: Setting): TraitsOf {
  return traitsWith(setting['model_traits'])
}

/** The first thing in `model_traits` that cannot be read. */
export function wrongModelTrait(setting: Setting): WrongTrait | undefined {
  return wrongTrait(setting['model_traits'])
}

/**
 * What people are shown of a model: its traits as all of its channels have them. Where they differ, and where a channel
 * asks for another model under this name, the table counts.
 */
export function shownTraits(channels: readonly RosterChannel[], model: string): JsonObject {
  const [first, ...others] = new Set(
    channels.map((channel) => (channel.modelMapping.has(model) ? traitsOf : channel.traitsOf)(model)),
  )
  return writeTraits(first !== undefined && others.length === 0 ? first : traitsOf(model))
}

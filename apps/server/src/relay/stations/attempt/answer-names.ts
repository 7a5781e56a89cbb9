import type { Ask } from '@tollgate/dialects/dialect'
import type { NamingRule } from '@tollgate/dialects/pair/answer-name'
import type { RosterChannel } from '../../../snapshots/snapshots.ts'
import { listModels, readPath } from '../../naming-values.ts'
import { isSameModel } from '../../prices/same-model.ts'
import { upstreamModel } from '../../upstream-model.ts'

/** The name at the channel's vendor of a further model that a caller names. */
export function mapFurtherName(channel: RosterChannel, name: string): string {
  const { modelPrefix: prefix } = channel
  const offered = prefix !== '' && name.startsWith(prefix) ? name.slice(prefix.length) : name
  return upstreamModel(channel, { asked: name, offered }) ?? offered
}

interface SentName {
  readonly name: string
  readonly sent: string
}

/**
 * Callers look up a model by the name they asked for, and resellers do not show where they buy. Where a call names
 * several models, its answer has the caller's name of the one that served. `undefined`: answers keep the vendor's.
 */
export function chooseAnswerName(
  ask: Ask,
  channel: RosterChannel,
  sentModel: string,
): NamingRule | undefined {
  if (channel.settings.showsUpstreamModel) return undefined
  const further = (ask.names?.naming ?? [])
    .flatMap(({ path }) => listModels(readPath(ask.body, path)))
    .map((name): SentName => ({ name, sent: mapFurtherName(channel, name) }))
  const names = [{ name: ask.model, sent: sentModel }, ...further]
  if (names.every(({ name, sent }) => name === sent)) return undefined
  return further.length === 0 ? ask.model : (served) => findAnswerName(names, served)
}

/** A model that nobody named serves under the requested name, unless that is the vendor's. */
function findAnswerName(names: readonly SentName[], served: string): string | undefined {
  const exact = names.find(({ sent }) => sent === served)
  const match = exact ?? names.find(({ sent }) => isSameModel(served, sent)) ?? names[0]
  return match === undefined || match.name === match.sent ? undefined : match.name
}

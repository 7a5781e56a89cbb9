import { type OptionKey, optionDefinition } from '@tollgate/contract/options/index'
import { type Language, problem } from '@tollgate/kit/problem'
import { writeOption } from '@tollgate/store/operations/options'
import type { Services } from '../services.ts'
import { type SiteSettings, optionCipherContext } from '../../snapshots/site-settings.ts'
import { readOption } from './rules.ts'
import { requireSignInMethod } from './require-sign-in-method.ts'

const HIDDEN = '[secret]'

export interface OptionServices extends Services {
  readonly settings: SiteSettings
}

export interface OptionWish {
  readonly key: OptionKey
  readonly text: string
  /** The version that the caller changed the option from, if given. */
  readonly version?: number | undefined
  readonly actorId: number
  readonly address: string
  readonly language: Language
}

/**
 * Validates the change, stores it with a version and a history row, and notifies every process that caches
 * the settings. An unchanged value writes nothing. Throws `option_version_changed` when the option was
 * changed since the version that the caller read.
 */
export async function changeOption(services: OptionServices, wish: OptionWish): Promise<string> {
  const { store, cipher, clock, settings, audit, notices } = services
  const { key, actorId, address, version } = wish
  const text = readOption(settings, wish)
  await requireSignInMethod(services, { key, text })
  const before = settings.text(key)
  if (text === before) return text
  const { isSecret } = optionDefinition(key)
  const shown = (value: string) => (isSecret && value !== '' ? HIDDEN : value)
  const isWritten = await writeOption(store, {
    key,
    value: isSecret && text !== '' ? cipher.encrypt(text, optionCipherContext(key)) : text,
    shownValue: shown(text),
    shownBefore: shown,
    nowMs: clock.nowMs(),
    actorId,
    ...(version !== undefined && { expectedVersion: version }),
  })
  if (!isWritten) throw problem('option_version_changed', { key })
  const row = { actorId, action: 'update', entity: 'option', entityId: key, address }
  await audit.write({ ...row, before: shown(before), after: shown(text) })
  await notices.publish('options')
  return text
}

import {
  type OptionKey,
  isGuardedOption,
  isOptionKey,
  optionDefinition,
} from '@tollgate/contract/options/index'
import { type Language, problem } from '@tollgate/problems/problem'
import { type OptionWrite, writeOption } from '@tollgate/store/operations/options'
import { isUniqueViolation } from '@tollgate/store/database/traits'
import type { AuditDetails, ChangedBy } from '../change.ts'
import type { Services } from '../services.ts'
import { type SiteSettings, optionCipherContext } from '../../snapshots/site-settings.ts'
import { readOption } from './rules.ts'
import { requireSignInMethod } from './require-sign-in-method.ts'
import type { optionRoutes } from '@tollgate/contract/option'
import type { Handler } from '../handler.ts'

const HIDDEN = '[secret]'

export interface OptionServices extends Services {
  readonly settings: SiteSettings
}

export interface OptionWish {
  readonly key: OptionKey
  readonly text: string
  /** The version that the caller changed the option from, if given. */
  readonly version?: number | undefined
  readonly by: ChangedBy
  readonly language: Language
}

/**
 * Validates the change, stores it with a version and a history row, and notifies every process that caches
 * the settings. An unchanged value writes nothing. Throws `option_version_changed` when the option was
 * changed since the version that the caller read.
 */
export async function changeOption(services: OptionServices, wish: OptionWish): Promise<string> {
  const { cipher, settings } = services
  const { key, version } = wish
  const text = readOption(settings, wish)
  await requireSignInMethod(services, { key, text })
  const before = settings.text(key)
  if (text === before) return text
  const { isSecret } = optionDefinition(key)
  const shown = (value: string) => (isSecret && value !== '' ? HIDDEN : value)
  await storeOption(services, wish.by, {
    action: 'update',
    write: {
      key,
      value: isSecret && text !== '' ? cipher.encrypt(text, optionCipherContext(key)) : text,
      shownValue: shown(text),
      shownBefore: shown,
      expectedVersion: version,
    },
    before: shown(before),
    after: shown(text),
  })
  return text
}

interface StoredChange extends Pick<AuditDetails, 'before' | 'after'> {
  readonly action: 'update' | 'reset'
  readonly write: Omit<OptionWrite, 'nowMs' | 'actorId'>
}

/** Throws `option_version_changed` when the stored version is not the expected one. */
export async function storeOption(
  { clock, change }: Services,
  by: ChangedBy,
  { action, write, before, after }: StoredChange,
): Promise<void> {
  const { key } = write
  const attempt = () =>
    change(by, {
      action,
      entity: 'option',
      work: async (transaction) => {
        const whole = { ...write, nowMs: clock.nowMs(), actorId: by.actor.id }
        if (!(await writeOption(transaction, whole))) throw problem('option_version_changed', { key })
      },
      row: { entityId: key, before, after, notice: 'options' },
    })
  await attempt().catch((error: unknown) => {
    // Another node has just inserted the option for the first time.
    if (!isUniqueViolation(error)) throw error
    return attempt()
  })
}

export function updateOption(services: OptionServices): Handler<typeof optionRoutes.update> {
  return async (call) => {
    const { body, language, guard } = call
    const { key, value, version } = body
    if (!isOptionKey(key)) throw problem('option_unknown', { key })
    const isKept = value === undefined && optionDefinition(key).isSecret
    guard.require({ when: isGuardedOption(key) && !isKept })
    if (isKept) return null
    const text = value ?? ''
    await changeOption(services, { key, text, version, by: call, language })
    return null
  }
}

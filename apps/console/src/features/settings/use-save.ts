import { isOptionKey, type OptionKey, optionDefinition } from '@tollgate/contract/options/index'
import type { Words } from '@tollgate/contract/options/definition'
import { useState } from 'react'
import { failureText } from '../../shared/api/failure.ts'
import { useLanguage } from '../../shared/i18n/language.ts'
import { notifyDone, notifyFailure } from '../../shared/notify/notify.ts'
import { storeSetting, useRefreshSettings } from './api.ts'
import { changedKeys, faultOf, inSavingOrder, isFilled } from './drafts.ts'
import { contestedKeys } from './conflict/contested-keys.ts'
import { settingMessages } from './i18n/index.ts'
import { useDrafts } from './use-drafts.ts'

interface SavedTogether {
  readonly title: Words
  readonly keys: readonly OptionKey[]
  /** A setting that must be stored before any of these can be saved. */
  readonly needs?: string | undefined
}

/** Saves the changed settings of one section, one call per key, and shows the result. */
export function useSave({ title, keys, needs }: SavedTogether): {
  readonly isBusy: boolean
  readonly save: () => Promise<void>
} {
  const t = settingMessages.use()
  const language = useLanguage()
  const { stored, drafts, bases, forget, fail } = useDrafts()
  const refresh = useRefreshSettings()
  const [isBusy, setIsBusy] = useState(false)

  async function send(changed: readonly OptionKey[]) {
    const failed = new Map<OptionKey, string>()
    for (const key of inSavingOrder(changed, drafts)) {
      try {
        await storeSetting(key, drafts.get(key) ?? '', bases.get(key)?.version)
      } catch (error) {
        failed.set(key, failureText(error))
      }
    }
    await refresh()
    forget(changed.filter((key) => !failed.has(key)))
    fail(failed)
    if (failed.size === 0) return notifyDone(t('saved', { section: title[language] }))
    const names = [...failed.keys()].map((key) => optionDefinition(key).label[language]).join(', ')
    notifyFailure(failed.size < changed.length ? t('partlySaved', { names }) : t('notSaved', { names }))
  }

  async function save() {
    const changed = changedKeys(keys, drafts, stored)
    if (changed.length === 0) {
      forget(keys)
      return notifyDone(t('nothingChanged'))
    }
    if (needs !== undefined && isOptionKey(needs) && !isFilled(needs, new Map(), stored))
      return notifyFailure(t('fillFirst', { name: optionDefinition(needs).label[language] }))
    if (contestedKeys(keys, { drafts, bases, stored }).length > 0) return notifyFailure(t('contest.first'))
    if (changed.some((key) => faultOf(key, drafts, stored) !== undefined)) return notifyFailure(t('faulty'))
    setIsBusy(true)
    try {
      await send(changed)
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, save }
}

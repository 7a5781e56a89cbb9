import { type OptionKey } from '@tollgate/contract/options'
import { optionLabels } from '@tollgate/contract/options/labels'
import { useState } from 'react'
import { failureText } from '../../shared/api/failure.ts'
import { useLanguage } from '../../shared/i18n/language.ts'
import { notifyDone, notifyFailure } from '../../shared/notify/notify.ts'
import { storeSetting, useRefreshSettings } from './api.ts'
import { changedKeys, faultOf, inSavingOrder, isFilled } from './drafts.ts'
import { contestedKeys } from './contest/contested-keys.ts'
import { settingMessages } from './i18n.ts'
import type { SettingSection } from './tab.ts'
import { useDrafts } from './use-drafts.ts'

/** Sends what changed in one section, one call a key, and says what became of it. */
export function useSave(section: SettingSection): {
  readonly isBusy: boolean
  readonly save: () => Promise<void>
} {
  const t = settingMessages.use()
  const language = useLanguage()
  const { stored, drafts, bases, forget, fail } = useDrafts()
  const refresh = useRefreshSettings()
  const [isBusy, setIsBusy] = useState(false)
  const keys = section.fields.map(({ key }) => key)

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
    if (failed.size === 0) return notifyDone(t('saved', { section: section.title[language] }))
    const names = [...failed.keys()].map((key) => optionLabels[key][language]).join(', ')
    notifyFailure(failed.size < changed.length ? t('partlySaved', { names }) : t('notSaved', { names }))
  }

  async function save() {
    const changed = changedKeys(keys, drafts, stored)
    if (changed.length === 0) {
      forget(keys)
      return notifyDone(t('nothingChanged'))
    }
    const { needs } = section
    if (needs !== undefined && !isFilled(needs, new Map(), stored))
      return notifyFailure(t('fillFirst', { name: optionLabels[needs][language] }))
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

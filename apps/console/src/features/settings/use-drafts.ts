import type { OptionKey } from '@tollgate/contract/options/index'
import { createContext, useCallback, useContext, useMemo, useState } from 'react'
import type { StoredSetting, StoredSettings } from './api.ts'
import type { Drafts } from './drafts.ts'

/** The page's unsaved entries; they are kept when the tab changes. */
export interface DraftStore {
  readonly stored: StoredSettings
  readonly drafts: Drafts
  /** The stored value from when each draft was started. */
  readonly bases: Bases
  /** The server's error message for a key from the last attempt to save it. */
  readonly failures: ReadonlyMap<OptionKey, string>
  readonly enter: (key: OptionKey, text: string) => void
  /**
   * Enters a draft on top of the value that is stored now, also if another operator has changed that value
   * since.
   */
  readonly rebase: (key: OptionKey, text: string) => void
  readonly forget: (keys: readonly OptionKey[]) => void
  readonly fail: (failures: ReadonlyMap<OptionKey, string>) => void
}

export type Bases = ReadonlyMap<OptionKey, StoredSetting>

const DraftContext = createContext<DraftStore | undefined>(undefined)
export const DraftProvider = DraftContext.Provider

export function useDrafts(): DraftStore {
  const book = useContext(DraftContext)
  if (book === undefined) throw new Error('A setting stands outside the settings page.')
  return book
}

const noFailures: ReadonlyMap<OptionKey, string> = new Map()
const noBases: Bases = new Map()

export function useDraftStore(stored: StoredSettings): DraftStore {
  const [drafts, setDrafts] = useState<Drafts>(new Map())
  const [bases, setBases] = useState(noBases)
  const [failures, setFailures] = useState(noFailures)
  const forget = useCallback((keys: readonly OptionKey[]) => {
    setDrafts((before) => without(before, keys))
    setBases((before) => without(before, keys))
    setFailures((before) => without(before, keys))
  }, [])
  const enter = useCallback(
    (key: OptionKey, text: string) => {
      const now = stored.get(key)
      setDrafts((before) => new Map(before).set(key, text))
      setBases((before) => (now === undefined || before.has(key) ? before : new Map(before).set(key, now)))
      setFailures((before) => without(before, [key]))
    },
    [stored],
  )
  const rebase = useCallback(
    (key: OptionKey, text: string) => {
      setBases((before) => without(before, [key]))
      enter(key, text)
    },
    [enter],
  )
  const fail = useCallback((failed: ReadonlyMap<OptionKey, string>) => {
    setFailures((before) => new Map([...before, ...failed]))
  }, [])
  return useMemo(
    () => ({ stored, drafts, bases, failures, enter, rebase, forget, fail }),
    [stored, drafts, bases, failures, enter, rebase, forget, fail],
  )
}

function without<Value>(
  map: ReadonlyMap<OptionKey, Value>,
  keys: readonly OptionKey[],
): ReadonlyMap<OptionKey, Value> {
  const gone = new Set(keys)
  return new Map([...map].filter(([key]) => !gone.has(key)))
}

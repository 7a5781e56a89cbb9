import { useQuery } from '@tanstack/react-query'
import { channelRoutes } from '@tollgate/contract/channel'
import type { OptionKey } from '@tollgate/contract/options/index'
import { useCallback, useMemo } from 'react'
import { useShallow } from 'zustand/react/shallow'
import { api } from '../../../shared/api/client.ts'
import { changedKeys } from '../drafts.ts'
import { settingMessages } from '../i18n/index.ts'
import { type DraftStore, useDrafts } from '../use-drafts.ts'
import { useSave } from '../use-save.ts'
import { effectivePrices } from './effective-price.ts'
import type { PricedRow } from './price-entry.ts'
import { readPriceExtras, extraMaps, extraTextsWith } from './price-extras.ts'
import { priceMaps, rowsOf, textsWith } from './price-rows.ts'

const PRICE_KEYS = [...Object.values(priceMaps), ...Object.values(extraMaps)]
const noModels: readonly string[] = []

/** The maps as entered or stored, together with the models that channels serve. */
export function usePriceMaps() {
  const t = settingMessages.use()
  const drafts = useDrafts()
  const title = { en: t('prices.title'), zh: t('prices.title') }
  const { isBusy, save } = useSave({ title, keys: PRICE_KEYS })
  const prices = usePrices(drafts)
  return {
    ...prices,
    keys: PRICE_KEYS,
    isDirty: changedKeys(PRICE_KEYS, drafts.drafts, drafts.stored).length > 0,
    isBusy,
    save,
    discard: () => drafts.forget(PRICE_KEYS),
  }
}

/** Everything here stays the same object until a price changes, not with each key typed in other settings. */
function usePrices(drafts: DraftStore) {
  // Outside a store too, `useShallow` returns the former object while all of its texts are equal.
  const texts = useShallow(priceTexts)(drafts)
  const extraTexts = useShallow(extraTextsOf)(drafts)
  const { data: models = noModels } = useQuery({
    queryKey: ['channel', 'models-enabled'],
    queryFn: ({ signal }) => api.call(channelRoutes.modelsEnabled, { signal }),
  })
  const rows = useMemo(() => rowsOf(texts, models), [texts, models])
  const served = useMemo(() => new Set(models), [models])
  const effective = useMemo(() => effectivePrices(rows ?? []), [rows])
  const extras = useMemo(() => readPriceExtras(extraTexts), [extraTexts])
  const { enter } = drafts
  const setPrices = useCallback(
    (priced: readonly PricedRow[]) => {
      for (const [part, text] of textsWith(texts, priced)) enter(priceMaps[part], text)
      for (const [name, text] of extraTextsWith(extraTexts, priced)) enter(extraMaps[name], text)
    },
    [texts, extraTexts, enter],
  )
  return { rows, served, effective, extras, setPrices }
}

const priceTexts = (drafts: DraftStore) => textsOf(priceMaps, drafts)
const extraTextsOf = (drafts: DraftStore) => textsOf(extraMaps, drafts)

function textsOf<Name extends string>(
  maps: Readonly<Record<Name, OptionKey>>,
  { drafts, stored }: DraftStore,
): Readonly<Record<Name, string>> {
  const textOf = (key: OptionKey) => drafts.get(key) ?? stored.get(key)?.text ?? '{}'
  const entries = Object.entries<OptionKey>(maps).map(([name, key]) => [name, textOf(key)])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name of the maps, and nothing else
  return Object.fromEntries(entries) as Record<Name, string>
}

import { useQuery } from '@tanstack/react-query'
import { channelRoutes } from '@tollgate/contract/channel'
import type { OptionKey } from '@tollgate/contract/options/index'
import { api } from '../../../shared/api/client.ts'
import { changedKeys } from '../drafts.ts'
import { settingMessages } from '../i18n/index.ts'
import { useDrafts } from '../use-drafts.ts'
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
  const { stored, drafts, enter, forget } = useDrafts()
  const title = { en: t('prices.title'), zh: t('prices.title') }
  const { isBusy, save } = useSave({ title, keys: PRICE_KEYS })
  const { data: served = noModels } = useQuery({
    queryKey: ['channel', 'models-enabled'],
    queryFn: ({ signal }) => api.call(channelRoutes.modelsEnabled, { signal }),
  })
  const textOf = (key: OptionKey) => drafts.get(key) ?? stored.get(key)?.text ?? '{}'
  const texts = textsOf(priceMaps, textOf)
  const extraTexts = textsOf(extraMaps, textOf)
  const rows = rowsOf(texts, served)
  return {
    keys: PRICE_KEYS,
    rows,
    served: new Set(served),
    effective: effectivePrices(rows ?? []),
    extras: readPriceExtras(extraTexts),
    isDirty: changedKeys(PRICE_KEYS, drafts, stored).length > 0,
    isBusy,
    save,
    discard: () => forget(PRICE_KEYS),
    setPrices: (rows: readonly PricedRow[]) => {
      for (const [part, text] of textsWith(texts, rows)) enter(priceMaps[part], text)
      for (const [name, text] of extraTextsWith(extraTexts, rows)) enter(extraMaps[name], text)
    },
  }
}

export type PriceMaps = ReturnType<typeof usePriceMaps>

function textsOf<Name extends string>(
  maps: Readonly<Record<Name, OptionKey>>,
  textOf: (key: OptionKey) => string,
): Readonly<Record<Name, string>> {
  const entries = Object.entries<OptionKey>(maps).map(([name, key]) => [name, textOf(key)])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name of the maps, and nothing else
  return Object.fromEntries(entries) as Record<Name, string>
}

import { formatFee } from '@tollgate/catalogue/fees/fee-titles'
import { currentLanguage } from '../../../shared/i18n/language.ts'
import type { Translate } from '../../../shared/i18n/messages.ts'
import type { UsageLogKey } from '../i18n/index.ts'
import type { LineName, ReceiptLine } from './receipt.ts'

/** The label of a receipt line; an unknown fee is shown by its own name. */
export function lineName(name: LineName, t: Translate<UsageLogKey>): string {
  if (!isToolLine(name)) return t(`line.${name}`)
  return formatFee(name.slice('tool:'.length), currentLanguage())
}

const knownParts: ReadonlyMap<string, UsageLogKey> = new Map([
  ['compaction', 'part.compaction'],
  ['advisor_message', 'part.advisor'],
  ['message', 'part.attempt'],
  ['vendor_cost', 'part.vendorCost'],
])

/** The step of a call, with its model where it has one; an unknown step is shown by the vendor's word. */
export function formatPart(
  { kind, model }: NonNullable<ReceiptLine['part']>,
  t: Translate<UsageLogKey>,
): string {
  const key = knownParts.get(kind)
  const word = key === undefined ? kind : t(key)
  return model === undefined ? word : `${word}, ${model}`
}

function isToolLine(name: LineName): name is `tool:${string}` {
  return name.startsWith('tool:')
}

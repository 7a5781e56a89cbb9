import type { TextReader } from '@tollgate/contract/log-event/text-reader'
import { unitsText } from '@tollgate/contract/log-event/units-text'
import { groupedInteger } from '../../../shared/format/money.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { useLanguage } from '../../../shared/i18n/language.ts'

/** The language and the money format for the texts of rows. */
export function useTextReader(): TextReader {
  const language = useLanguage()
  const { exact, rule } = useMoney()
  const amount = (units: number) =>
    rule.isCurrency ? exact(units) : unitsText(groupedInteger(units), language)
  return { language, amount }
}

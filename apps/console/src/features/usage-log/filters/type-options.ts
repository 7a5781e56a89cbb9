import { logTypeText } from '@tollgate/contract/log-event/type-words'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { currentLanguage } from '../../../shared/i18n/language.ts'
import type { Translate } from '../../../shared/i18n/messages.ts'
import type { UsageLogKey } from '../i18n/index.ts'
import { CALLS, type LogFilters } from './search.ts'

interface TypeOption {
  readonly value: LogFilters['type']
  readonly label: string
}

/** Options of the type filter; calls come first because they are the default. */
export function typeOptions(t: Translate<UsageLogKey>): TypeOption[] {
  return [
    { value: CALLS, label: t('type.calls') },
    { value: 0, label: t('type.all') },
    ...Object.values(LOG_TYPE).map((value) => ({ value, label: logTypeText(value, currentLanguage()) })),
  ]
}

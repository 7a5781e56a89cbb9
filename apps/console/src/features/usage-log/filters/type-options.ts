import { LOG_TYPE } from '@tollgate/contract/log'
import type { Translate } from '../../../shared/i18n/messages.ts'
import type { UsageLogKey } from '../i18n.ts'
import type { LogFilters } from './search.ts'

interface TypeOption {
  readonly value: LogFilters['type']
  readonly label: string
}

/** What the list can be narrowed to, everything first. */
export function typeOptions(t: Translate<UsageLogKey>): TypeOption[] {
  return [
    { value: 0, label: t('type.all') },
    { value: LOG_TYPE.topUp, label: t('type.topUp') },
    { value: LOG_TYPE.consumption, label: t('type.consumption') },
    { value: LOG_TYPE.management, label: t('type.management') },
    { value: LOG_TYPE.system, label: t('type.system') },
    { value: LOG_TYPE.checkIn, label: t('type.checkIn') },
    { value: LOG_TYPE.refund, label: t('type.refund') },
    { value: LOG_TYPE.signIn, label: t('type.signIn') },
    { value: LOG_TYPE.error, label: t('type.error') },
  ]
}

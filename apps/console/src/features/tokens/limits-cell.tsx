import type { Token } from '@tollgate/contract/token'
import { abbreviated } from '../../shared/format/money.ts'
import { dateTime } from '../../shared/format/time.ts'
import { useMoney } from '../../shared/format/use-money.ts'
import { splitList } from './form-value.ts'
import { tokenMessages } from './i18n.ts'
import { NoValue } from '../../shared/format/no-value.tsx'

/** The token's limits: numbers of models and addresses, with the names in a tooltip, and its rate limits. */
export function Limits({ token }: { readonly token: Token }) {
  const t = tokenMessages.use()
  const models = token.model_limits_enabled ? splitList(token.model_limits) : []
  const addresses = token.allow_ips.split('\n').filter((line) => line.trim() !== '')
  const parts = [
    models.length > 0 && t('limits.models', { count: models.length }),
    addresses.length > 0 && t('limits.addresses', { count: addresses.length }),
    token.rpm_limit > 0 && t('limits.rpm', { most: abbreviated(token.rpm_limit) }),
    token.tpm_limit > 0 && t('limits.tpm', { most: abbreviated(token.tpm_limit) }),
    token.max_parallel_requests > 0 &&
      t('limits.parallel', { open: token.open_requests, most: token.max_parallel_requests }),
  ].filter((part) => part !== false)
  if (parts.length === 0) return <NoValue />
  return <span title={[...models, ...addresses].join(', ')}>{parts.join(' · ')}</span>
}

/**
 * The spent part of the token's budget in the current period. The tooltip shows the exact units and the start
 * of the next period.
 */
export function Budget({ token }: { readonly token: Token }) {
  const t = tokenMessages.use()
  const money = useMoney()
  const { budget_period: period, budget_used: used, budget_quota: quota, budget_reset_time: reset } = token
  if (period === '') return <NoValue />
  const reported = (format: (units: number) => string) =>
    t(spentLabels[period], { used: format(used), budget: format(quota) })
  return (
    <span title={`${reported(money.exact)} · ${t('budget.reset', { time: dateTime(reset) })}`}>
      {reported(money.column([used, quota]))}
    </span>
  )
}

const spentLabels = { day: 'budget.perDay', week: 'budget.perWeek', month: 'budget.perMonth' } as const

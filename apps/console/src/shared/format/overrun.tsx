import { sharedMessages } from '../i18n/shared-messages.ts'
import { useMoney } from './use-money.ts'

/** What was spent beyond a quota, beside a rest of zero; nothing when the quota was not overrun. */
export function Overrun({ units }: { readonly units: number }) {
  const t = sharedMessages.use()
  const { exact, summary } = useMoney()
  if (units <= 0) return null
  return (
    <span className="muted" title={exact(units)}>
      {' · '}
      {t('overrun', { amount: summary(units) })}
    </span>
  )
}

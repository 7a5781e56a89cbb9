import { type PaymentMethod, topUpRoutes } from '@tollgate/contract/top-up'
import { Alert, Button, InputNumber } from 'antd'
import { useDeferredValue, useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { groupedInteger } from '../../../shared/format/money.ts'
import { notifyFailure } from '../../../shared/notify/notify.ts'
import { Section } from '../../../shared/page/section.tsx'
import { useStatus } from '../../../shared/session/status.ts'
import { useOwnGroups, useQuote, useRefreshWallet } from '../api.ts'
import { walletMessages } from '../i18n.ts'
import styles from '../wallet.module.css'
import { sendForm } from './send-form.ts'

/** Buys quota at the payment gateway: an amount, what it costs, and two ways to pay. */
export function Buy() {
  const t = walletMessages.use()
  const min = useMinimum()
  const { display_in_currency: isCurrency } = useStatus()
  const [amount, setAmount] = useState(min)
  const asked = useDeferredValue(amount)
  const quote = useQuote(asked, asked >= min)
  const pay = usePay()
  const isTooLittle = amount < min
  const ask = (method: PaymentMethod) => void pay({ amount, money: quote.data ?? '', method })
  const isLocked = isTooLittle || quote.data === undefined || asked !== amount

  return (
    <Section title={t('buy.title')} purpose={t('buy.purpose')}>
      <div className={styles.form}>
        <InputNumber
          style={{ width: '100%' }}
          aria-label={t('buy.amount')}
          min={1}
          precision={0}
          prefix={isCurrency ? '$' : undefined}
          value={amount}
          onChange={(value) => setAmount(Math.max(1, value ?? 1))}
        />
        <div className={`number ${styles.quote}`} aria-live="polite">
          {quote.data !== undefined && !isTooLittle && t('buy.costs', { money: quote.data })}
        </div>
        {isTooLittle && <Alert type="error" title={t('buy.tooLittle', { min: groupedInteger(min) })} />}
        {quote.error !== null && !isTooLittle && <Alert type="error" title={failureText(quote.error)} />}
        <div className={styles.line}>
          <Button className={styles.grow} disabled={isLocked} onClick={() => ask('zfb')}>
            {t('buy.zfb')}
          </Button>
          <Button className={styles.grow} disabled={isLocked} onClick={() => ask('wx')}>
            {t('buy.wx')}
          </Button>
        </div>
        <Groups />
      </div>
    </Section>
  )
}

/** What quota is worth in each group one may use. */
function Groups() {
  const t = walletMessages.use()
  const { data } = useOwnGroups()
  const groups = Object.entries(data ?? {})
  if (groups.length === 0) return null
  return (
    <div className={styles.groups}>
      <span>{t('buy.groups')}</span>
      {groups.map(([name, { desc, ratio }]) => (
        <span key={name} title={desc}>
          {name} ×{ratio}
        </span>
      ))}
    </div>
  )
}

/** In the unit that amounts are entered in. */
function useMinimum(): number {
  const { min_topup: units, quota_per_unit: unit, display_in_currency: isCurrency } = useStatus()
  return Math.max(1, isCurrency ? units : units * unit)
}

function usePay() {
  const t = walletMessages.use()
  const refresh = useRefreshWallet()
  return async ({ amount, money, method }: { amount: number; money: string; method: PaymentMethod }) => {
    const isSure = await confirm({
      title: t('buy.confirmTitle', { amount: groupedInteger(amount) }),
      consequence: t('buy.confirmText', { money, way: t(`buy.${method}`) }),
      confirmLabel: t('buy.pay'),
    })
    if (!isSure) return
    try {
      const { data, extra } = await api.callWhole(topUpRoutes.pay, {
        body: { amount, payment_method: method },
      })
      sendForm(String(extra['url']), data)
      await refresh()
    } catch (error) {
      notifyFailure(failureText(error))
    }
  }
}

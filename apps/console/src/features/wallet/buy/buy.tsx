import { useQuery } from '@tanstack/react-query'
import { type PaymentMethod, topUpRoutes } from '@tollgate/contract/top-up'
import { Alert, Button } from 'antd'
import { useDeferredValue, useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { ownGroupsQuery } from '../../../shared/api/own-queries.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { NumberInput } from '../../../shared/form/number-input.tsx'
import { groupedInteger } from '../../../shared/format/money.ts'
import { groupDescription } from '../../../shared/groups/group-description.ts'
import { orNotify } from '../../../shared/notify/notifying-failure.ts'
import { Section } from '../../../shared/page/section.tsx'
import { useStatus } from '../../../shared/session/status.ts'
import { useQuote, useRefreshWallet } from '../api.ts'
import { walletMessages } from '../i18n.ts'
import styles from '../wallet.module.css'
import { sendForm } from './send-form.ts'

/** Buys quota through the payment gateway: amount, price, and two payment methods. */
export function Buy() {
  const t = walletMessages.use()
  const min = useMinimum()
  const { display_in_currency: isCurrency } = useStatus()
  const [amount, setAmount] = useState<number | undefined>(min)
  const asked = useDeferredValue(amount)
  const isPayable = (value: number | undefined) => Number.isInteger(value) && (value ?? 0) >= min
  const quote = useQuote(asked ?? 0, isPayable(asked))
  const pay = usePay()
  const amountText = useAmountText()
  const isWrong = !isPayable(amount)
  const ask = (method: PaymentMethod) => void pay({ amount: amount ?? 0, money: quote.data ?? '', method })
  const isLocked = isWrong || quote.data === undefined || asked !== amount

  return (
    <Section title={t('buy.title')} purpose={t('buy.purpose')}>
      <div className="stack-12">
        <NumberInput
          label={t('buy.amount')}
          prefix={isCurrency ? '$' : undefined}
          value={amount}
          onChange={setAmount}
        />
        <div className={`number ${styles.quote}`} aria-live="polite">
          {quote.data !== undefined && !isWrong && t('buy.costs', { money: quote.data })}
        </div>
        {isWrong && <Alert type="error" title={t('buy.tooLittle', { min: amountText(min) })} />}
        {quote.error !== null && !isWrong && <Alert type="error" title={failureText(quote.error)} />}
        <div className="line-8">
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

/** The value of quota in each group that the reader may use. */
function Groups() {
  const t = walletMessages.use()
  const { data } = useQuery(ownGroupsQuery)
  const groups = Object.entries(data ?? {})
  if (groups.length === 0) return null
  return (
    <div className={styles.groups}>
      <span>{t('buy.groups')}</span>
      {groups.map(([name, { desc, ratio }]) => (
        <span key={name} title={groupDescription(desc)}>
          {name} ×{ratio}
        </span>
      ))}
    </div>
  )
}

/** The minimum amount, in the unit in which amounts are entered. */
function useMinimum(): number {
  const { min_topup: units, quota_per_unit: unit, display_in_currency: isCurrency } = useStatus()
  return Math.max(1, isCurrency ? units : units * unit)
}

/** An amount with its unit: `$5`, or `2,500,000 quota` on a site that does not show quota as money. */
function useAmountText(): (amount: number) => string {
  const t = walletMessages.use()
  const { display_in_currency: isCurrency } = useStatus()
  return (amount) => t(isCurrency ? 'buy.currency' : 'buy.units', { amount: groupedInteger(amount) })
}

function usePay() {
  const t = walletMessages.use()
  const amountText = useAmountText()
  const refresh = useRefreshWallet()
  return async ({ amount, money, method }: { amount: number; money: string; method: PaymentMethod }) => {
    const isSure = await confirm({
      title: t('buy.confirmTitle', { amount: amountText(amount) }),
      consequence: t('buy.confirmText', { money, way: t(`buy.${method}`) }),
      confirmLabel: t('buy.pay'),
    })
    if (!isSure) return
    await orNotify(async () => {
      const body = { amount, payment_method: method }
      const { data, extra } = await api.callWhole(topUpRoutes.pay, { body })
      sendForm(String(extra['url']), data)
      await refresh()
    })
  }
}

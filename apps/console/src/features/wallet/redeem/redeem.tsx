import { useMutation } from '@tanstack/react-query'
import { redemptionRoutes } from '@tollgate/contract/redemption'
import { Alert, Button, Input } from 'antd'
import { useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { Section } from '../../../shared/page/section.tsx'
import { useRefreshWallet } from '../api.ts'
import { walletMessages } from '../i18n.ts'
import styles from '../wallet.module.css'

interface RedeemProps {
  /** The code from the address; "" if there was none. */
  readonly code: string
  /** Called when the reader wants to enter a different code. */
  readonly onChangeCode: () => void
  /** The address of the shop that sells codes; "" if the site has none. */
  readonly link: string
}

/** Redeems a code for the reader. The form is locked while the request is running. */
export function Redeem({ code, onChangeCode, link }: RedeemProps) {
  const t = walletMessages.use()
  const money = useMoney()
  const refresh = useRefreshWallet()
  const [typed, setTyped] = useState('')
  const redeem = useMutation({
    meta: { isFailureShown: true },
    mutationFn: (key: string) => api.call(redemptionRoutes.redeem, { body: { key } }),
    onSuccess: async () => {
      setTyped('')
      if (code !== '') onChangeCode()
      await refresh()
    },
  })
  const key = (code === '' ? typed : code).trim()
  const submit = () => redeem.mutate(key)

  return (
    <Section
      title={t('redeem.title')}
      purpose={t('redeem.purpose')}
      actions={link !== '' && <GetCode link={link} />}
    >
      <form
        className="stack-12"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {code === '' ? (
          <Input
            className="code"
            aria-label={t('redeem.code')}
            placeholder={t('redeem.code')}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        ) : (
          <div className="line-8">
            <span>
              {t('redeem.recognised')} <span className="code">{code}</span>
            </span>
            <Button type="link" size="small" onClick={onChangeCode}>
              {t('redeem.change')}
            </Button>
          </div>
        )}
        <Button type="primary" htmlType="submit" loading={redeem.isPending} disabled={key === ''}>
          {t('redeem.submit')}
        </Button>
        {link === '' && <p className={styles.note}>{t('redeem.noLink')}</p>}
        <div aria-live="polite">
          {redeem.data !== undefined && (
            <Alert
              type="success"
              title={t(redeem.data.is_gift ? 'redeem.doneGift' : 'redeem.done', {
                amount: money.exact(redeem.data.quota),
              })}
            />
          )}
          {redeem.error !== null && <Alert type="error" title={failureText(redeem.error)} />}
        </div>
      </form>
    </Section>
  )
}

function GetCode({ link }: { readonly link: string }) {
  const t = walletMessages.use()
  return (
    <Button href={link} target="_blank" rel="noreferrer">
      {t('redeem.get')}
    </Button>
  )
}

import { useQuery } from '@tanstack/react-query'
import { operationsRoutes } from '@tollgate/contract/operations'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { notifyDone, notifyFailure } from '../../../shared/notify/notify.ts'
import { storeSetting, useRefreshSettings } from '../api.ts'
import { settingMessages } from '../i18n/index.ts'
import { useDrafts } from '../use-drafts.ts'

const KEY = 'ListedFeesCharged'

/**
 * While fees of vendors are counted and not charged: what they would have cost in the last 30 days, and the button
 * that charges them from now on.
 */
export function CountedFees() {
  const t = settingMessages.use()
  const { stored } = useDrafts()
  const setting = stored.get(KEY)
  return setting?.text === 'false' ? <Banner version={setting.version} title={t('fees.counted')} /> : null
}

interface BannerProps {
  readonly version: number
  readonly title: string
}

function Banner({ version, title }: BannerProps) {
  const t = settingMessages.use()
  const { summary } = useMoney()
  const refresh = useRefreshSettings()
  const { forget } = useDrafts()
  const [isBusy, setBusy] = useState(false)
  const query = useQuery({
    queryKey: ['operations', 'charges'],
    queryFn: ({ signal }) => api.call(operationsRoutes.charges, { signal }),
  })
  const counted = query.data?.filter(({ kind }) => kind === 'fee_counted')
  const units = counted?.reduce((sum, { quota }) => sum + quota, 0)
  return (
    <Alert
      type="warning"
      showIcon
      title={title}
      description={
        <div className="stack-8">
          <p>
            {units === undefined ? t('fees.countedText') : t('fees.countedCost', { amount: summary(units) })}
          </p>
          <div>
            <Button type="primary" loading={isBusy} onClick={() => void charge()}>
              {t('fees.charge')}
            </Button>
          </div>
        </div>
      }
    />
  )

  async function charge() {
    setBusy(true)
    try {
      await storeSetting(KEY, 'true', version)
      forget([KEY])
      await refresh()
      notifyDone(t('fees.charged'))
    } catch (error) {
      notifyFailure(failureText(error))
    } finally {
      setBusy(false)
    }
  }
}

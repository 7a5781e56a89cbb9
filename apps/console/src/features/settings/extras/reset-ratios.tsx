import { pricingRoutes } from '@tollgate/contract/pricing'
import { Button } from 'antd'
import { api } from '../../../shared/api/client.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { useRefreshSettings } from '../api.ts'
import { settingMessages } from '../i18n/index.ts'
import styles from '../settings.module.css'
import { useDrafts } from '../use-drafts.ts'

/** Resets the model ratios to the built-in ones. */
export function ResetRatios() {
  const t = settingMessages.use()
  const refresh = useRefreshSettings()
  const { forget } = useDrafts()
  const ask = () =>
    confirm({
      title: t('ratios.resetTitle'),
      consequence: t('ratios.resetText'),
      confirmLabel: t('ratios.reset'),
      isDestructive: true,
      action: async () => {
        await api.call(pricingRoutes.resetModelRatio)
        forget(['ModelRatio'])
        await refresh()
        notifyDone(t('ratios.resetDone'))
      },
    })
  return (
    <div className={styles.extra}>
      <div className={styles.extraWords}>
        <strong>{t('ratios.reset')}</strong>
        <p className={styles.help}>{t('ratios.resetHelp')}</p>
      </div>
      <div className={styles.extraControl}>
        <div>
          <Button danger onClick={() => void ask()}>
            {t('ratios.reset')}
          </Button>
        </div>
      </div>
    </div>
  )
}

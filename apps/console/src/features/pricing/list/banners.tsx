import { Alert, Button, Modal } from 'antd'
import { useState } from 'react'
import { useSessionUser } from '../../../shared/session/session.ts'
import type { PriceGroup } from '../api.ts'
import { pricingMessages } from '../i18n.ts'
import { CURRENCY_PER_MILLION, ratioText } from '../prices.ts'
import styles from './page.module.css'

/** Whose prices these are, and how they come about. */
export function Banners({ group }: { readonly group: PriceGroup }) {
  const t = pricingMessages.use()
  const user = useSessionUser()
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const words = { group: group.name, ratio: ratioText(group.ratio) }
  const isOwn = user?.group === group.name
  return (
    <div className={styles.banners}>
      {user === undefined ? (
        <Alert type="warning" title={t('banner.visitor', words)} />
      ) : (
        <Alert type="info" title={t(isOwn ? 'banner.own' : 'banner.other', words)} />
      )}
      <div className={styles.formula}>
        <p>{t('banner.formula', { base: CURRENCY_PER_MILLION })}</p>
        <Button size="small" onClick={() => setIsHelpOpen(true)}>
          {t('help')}
        </Button>
      </div>
      <Modal open={isHelpOpen} title={t('help')} footer={null} onCancel={() => setIsHelpOpen(false)}>
        <dl className={styles.help}>
          {helpKeys.map((key) => (
            <div key={key}>
              <dt>{t(`help.${key}`)}</dt>
              <dd>{t(`help.${key}Text`, { base: CURRENCY_PER_MILLION })}</dd>
            </div>
          ))}
        </dl>
      </Modal>
    </div>
  )
}

const helpKeys = ['model', 'completion', 'group', 'example', 'call'] as const

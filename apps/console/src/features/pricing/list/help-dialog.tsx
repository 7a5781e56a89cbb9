import { Modal } from 'antd'
import { ComponentLibrary } from '../../../shared/design/component-library.tsx'
import { pricingMessages } from '../i18n/index.ts'
import { CURRENCY_PER_MILLION } from '../prices.ts'
import styles from './page.module.css'

const helpKeys = ['model', 'completion', 'group', 'example', 'call'] as const

/** Explains how a price follows from ratios. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const t = pricingMessages.use()
  return (
    <ComponentLibrary>
      <Modal open title={t('help')} footer={null} onCancel={onClose}>
        <dl className={styles.help}>
          {helpKeys.map((key) => (
            <div key={key}>
              <dt>{t(`help.${key}`)}</dt>
              <dd>{t(`help.${key}Text`, { base: CURRENCY_PER_MILLION })}</dd>
            </div>
          ))}
        </dl>
      </Modal>
    </ComponentLibrary>
  )
}

import { Button, Modal } from 'antd'
import { copyText } from '../../../shared/copy/copy.ts'
import { personalMessages } from '../i18n/index.ts'
import styles from './access.module.css'

export function NewToken({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  const t = personalMessages.use()
  return (
    <Modal
      open
      width={480}
      title={t('access.madeTitle')}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('word.done')}</Button>
          <Button type="primary" onClick={() => void copyText(token, { isSecret: true })}>
            {t('copy')}
          </Button>
        </>
      }
    >
      <p>{t('access.madeText')}</p>
      <pre className={`code ${styles.token}`}>{token}</pre>
    </Modal>
  )
}

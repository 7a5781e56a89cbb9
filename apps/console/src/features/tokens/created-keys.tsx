import { useNavigate } from '@tanstack/react-router'
import { Button, Modal } from 'antd'
import { copyText } from '../../shared/copy/copy.ts'
import { paths } from '../../shared/routing/paths.ts'
import { withPrefix } from './api.ts'
import { tokenMessages } from './i18n.ts'
import styles from './token-form.module.css'

interface CreatedKeysProps {
  readonly keys: readonly string[]
  readonly onClose: () => void
}

/** Shows the keys of newly created tokens for copying. */
export function CreatedKeys({ keys, onClose }: CreatedKeysProps) {
  const t = tokenMessages.use()
  const navigate = useNavigate()
  const text = keys.map(withPrefix).join('\n')
  return (
    <Modal
      open
      title={t('created.title')}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('word.done')}</Button>
          <Button onClick={() => void navigate({ to: paths.connect })}>{t('connect')}</Button>
          <Button type="primary" onClick={() => void copyText(text, { isSecret: true })}>
            {t('copy')}
          </Button>
        </>
      }
    >
      <p>{t('created.text')}</p>
      <pre className={`code ${styles.keys}`}>{text}</pre>
    </Modal>
  )
}

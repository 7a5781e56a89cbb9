import { Button, Modal } from 'antd'
import { ComponentLibrary } from '../../../shared/design/component-library.tsx'
import { OperatorContent } from '../../../shared/markdown/operator-content.tsx'
import { shellMessages } from '../i18n.ts'
import styles from './notice-dialog.module.css'

export function NoticeDialog({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const t = shellMessages.use()
  return (
    <ComponentLibrary>
      <Modal
        open
        width={640}
        title={t('notice')}
        onCancel={onClose}
        footer={
          <Button type="primary" onClick={onClose}>
            {t('notice.close')}
          </Button>
        }
      >
        <div className={styles.text}>
          <OperatorContent text={text} title={t('notice')} />
        </div>
      </Modal>
    </ComponentLibrary>
  )
}
